import { demoFile, demoHandbook } from '../../gateway/demo.ts';
import { FileFault } from '../../world/world.ts';
import type { GatewaySource } from './source.ts';

/** The demo's two files are texts in the program. */
export function demoSource(): GatewaySource {
  const nothing = new FileFault('', 'ENOENT', 'the demo has no such file');
  return {
    name: 'the demo',
    seen: { files: new Map(), patterns: new Map() },
    forgetOthers: () => undefined,
    unread: new Set(),
    unsettled: new Set(),
    looks: new Map(),
    audits: new Set(),
    secrets: new Set(),
    named: new Set(),
    resolve: (path) => path,
    hasChanged: async () => false,
    mayBeWritten: async () => false,
    readText: async () => demoFile,
    readFile: () => Promise.reject(nothing),
    readInside: () => Promise.reject(nothing),
    readDocuments: async (name) => [{ name, text: demoHandbook }],
  };
}
