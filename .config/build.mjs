/**
 * Bundles `src/entry.ts` and everything it needs into `dist/`: CommonJS chunks, because they start faster than ES
 * modules, one for each command that is imported on demand.
 */
import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { rolldown } from 'rolldown';
import { linesOnly } from './source-lines.mjs';
import { textFiles } from './text-files.mjs';

const vendor = /[\\/]node_modules[\\/]/;
/** Packages that stand in one file with our code, because every run needs the one, and every prompt the other. */
const loadedWithOurs = /[\\/]node_modules[\\/](?:commander|undici)[\\/].*\.m?js$/;

/** What packages ship without its licence text. One that ships no text at all and is not named here ends the build. */
const withoutLicenceText = {
  undici:
    'Its HTTP parser is compiled from llhttp: MIT License, Copyright Fedor Indutny, 2018. undici ships no text of it.',
};

/** `inputs` is kept in `dist/graph.json`, beside what each chunk holds, to tell later whether this build is stale. */
export async function build(top, inputs) {
  const chunks = [...(await bundleProgram(top)), ...(await bundleThread(top)), ...(await bundleEngine(top))];
  const graph = Object.fromEntries(chunks.map((chunk) => [chunk.fileName, modulesOf(chunk, top)]));
  const files = new Map(chunks.flatMap((chunk) => filesOf(chunk)));
  files.set('lists.js', listsOf(new Set(Object.values(graph).flat()), top));
  files.set('LICENSES.txt', licences(new Set(Object.values(graph).flat()), top));
  files.set('graph.json', JSON.stringify({ inputs, chunks: graph }, null, 1));
  replaceFolder(join(top, 'dist'), files);
}

/** Modules that no other command loads: in a file with rows and runs batch and the audit would load them too. */
const ofCheckAlone = /\/src\/(suites|commands\/check)\//;

/** The program: one file of what every run needs, of what prompts, sockets and checks need, the rest by itself. */
async function bundleProgram(top) {
  const bundle = await bundleOf(top, { entry: 'src/entry.ts' });
  const isApart = (id) => vendor.test(id) && !loadedWithOurs.test(id);
  const vendorGroup = { name: 'vendor', test: isApart, entriesAware: true };
  const apart = await chunksOf(bundle, [vendorGroup]);
  const asking = loadedBy(apart, ['commands/prompt/prompt.ts']);
  const checking = loadedBy(apart, [
    'commands/check/register.ts',
    'commands/check/check.ts',
    'suites/parse.ts',
    'suites/reports/human.ts',
  ]);
  const sending = loadedBy(apart, ['transport/send.ts']);
  const group = (name, modules) => ({ name, test: (id) => modules.has(id), includeDependenciesRecursively: false });
  const chunks = await chunksOf(bundle, [
    vendorGroup,
    group('asking', asking),
    group('sending', sending),
    group('checking', new Set([...checking].filter((id) => ofCheckAlone.test(id)))),
    group('running', new Set([...checking].filter((id) => !ofCheckAlone.test(id) && !asking.has(id)))),
  ]);
  await bundle.close();
  return chunks;
}

/** The program of a thread shares but two files with the other, which would have to be cut smaller for more. */
async function bundleThread(top) {
  const bundle = await bundleOf(top, { 'judging-thread': 'src/commands/gateway/serve/judging-thread.ts' });
  const chunks = await chunksOf(bundle, [{ name: 'vendor', test: vendor, entriesAware: true }], 'thread-');
  await bundle.close();
  return chunks;
}

/** Both programs load the engine of patterns from one file: twice, it would be a thirtieth more of the package. */
const engine = 're2js';
const engineApart = {
  name: 'engine-apart',
  resolveId: (source) => (source === engine ? { id: './engine.js', external: true } : null),
};

/** Both also load the lists of words and phrases from one file, each by its name in the sources. */
const lists = './lists.js';
const isList = /\/src\/(gateway\/policies\/.*\.txt)$/;
const listsApart = {
  name: 'lists-apart',
  resolveId: (source) => (source === lists ? { id: lists, external: true } : null),
  load(id) {
    const [, name] = isList.exec(id) ?? [];
    return name && { code: `import lists from '${lists}'; export default lists['${name}'];`, moduleType: 'js' };
  },
};
const ofPrograms = { plugins: [engineApart, listsApart], preserveEntrySignatures: false };

function listsOf(modules, top) {
  const named = [...modules].flatMap((module) => {
    const [, name] = isList.exec(`/${module}`) ?? [];
    return name ? [[name, readFileSync(join(top, module), 'utf8')]] : [];
  });
  const beyondAscii = (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return `module.exports=${JSON.stringify(Object.fromEntries(named)).replace(/[^\0-\x7f]/g, beyondAscii)};\n`;
}

async function bundleEngine(top) {
  const bundle = await bundleOf(top, { engine }, { plugins: [], preserveEntrySignatures: 'strict' });
  const chunks = await chunksOf(bundle, []);
  await bundle.close();
  return chunks;
}

async function bundleOf(top, input, { plugins, preserveEntrySignatures } = ofPrograms) {
  const { version } = JSON.parse(readFileSync(join(top, 'package.json'), 'utf8'));
  return rolldown({
    cwd: top,
    input,
    preserveEntrySignatures,
    platform: 'node',
    tsconfig: false,
    transform: { target: 'node20.18', define: { MOTIF_VERSION: JSON.stringify(version) } },
    plugins: [...plugins, withoutUnused, textFiles],
    // An import on demand says when a module is needed; the groups below say in which file it stands.
    checks: { ineffectiveDynamicImport: false },
  });
}

async function chunksOf(bundle, groups, prefix = '') {
  const { output } = await bundle.generate({
    format: 'cjs',
    minify: true,
    // A file of ASCII alone is read into half the memory, and hashed in half the time.
    charset: 'ascii',
    comments: { legal: false, annotation: false, jsdoc: false },
    entryFileNames: '[name].js',
    chunkFileNames: `${prefix}[name].js`,
    sourcemap: 'hidden',
    sourcemapExcludeSources: true,
    codeSplitting: { groups },
  });
  return output.filter((file) => file.type === 'chunk');
}

/** The modules that these load beside the entry, packages that stand apart left out. One file loads faster than twenty. */
function loadedBy(chunks, starts) {
  const named = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const loaded = new Set();
  const load = (name) => {
    if (loaded.has(name) || !named.has(name)) return;
    loaded.add(name);
    named.get(name).imports.forEach(load);
  };
  load('entry.js');
  const atStart = new Set(loaded);
  for (const start of starts) load(chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(start))).fileName);
  const later = [...loaded].filter((name) => !atStart.has(name)).flatMap((name) => named.get(name).moduleIds);
  return new Set(later.filter((id) => (!vendor.test(id) || loadedWithOurs.test(id)) && !id.startsWith('rolldown:')));
}

/**
 * What packages load at every start although motif never comes to use it: half of the time a prompt would take. motif
 * opens its own sockets, speaks HTTP/1.1, sends bodies of bytes, and none of its commands is a program of its own.
 */
const unused = [
  { by: 'commander', file: /^node:child_process$/ },
  { by: 'undici', file: /^node:http$|\/(client-h2|connect|body|llhttp_simd-wasm)\.js$/ },
];

/** Failed assertions stay what they are, but `node:assert` is only loaded by one. */
const lazyAssert = "module.exports = (ok, message) => { if (!ok) require('node:assert')(ok, message); };";

/**
 * Names of headers in small letters, learnt from the answers: undici's own tree of all that are known is grown at every
 * start for the few names of one. Of names with the same length and first letter the last one stays.
 */
const learntNames = `const names = [];
function lookup(bytes) {
  const place = bytes.length * 32 + (bytes[0] & 31);
  const known = names[place];
  if (known !== undefined && isSame(bytes, known.sent)) return known.name;
  const sent = bytes.toString('latin1');
  const name = sent.toLowerCase();
  if (bytes.length <= 32) names[place] = { sent, name };
  return name;
}
function isSame(bytes, text) {
  for (let at = 0; at < text.length; at++) if (bytes[at] !== text.charCodeAt(at)) return false;
  return true;
}
module.exports = { tree: { lookup } };`;

/** A map that says of no character where it came from: those of the packages would weigh more than the program. */
const noMap = { version: 3, sources: [], names: [], mappings: '' };

const withoutUnused = {
  name: 'without-unused',
  resolveId(source, importer = '') {
    const isUnused = ({ by, file }) => importer.includes(`/node_modules/${by}/`) && file.test(source);
    if (unused.some(isUnused)) return '\0unused';
    return source === 'node:assert' && importer.includes('/node_modules/undici/') ? '\0assert' : null;
  },
  load(id) {
    if (id === '\0unused') return 'module.exports = {};';
    if (id.endsWith('/undici/lib/llhttp/llhttp-wasm.js')) return { code: httpParser(id), map: noMap };
    if (id.endsWith('/undici/lib/llhttp/constants.js')) return { code: parserConstants(id), map: noMap };
    if (id.endsWith('/undici/lib/core/tree.js')) return { code: learntNames, map: noMap };
    if (id.endsWith('/undici/lib/dispatcher/client-h1.js')) return { code: clientOfOneOverflow(id), map: noMap };
    if (loadedWithOurs.test(id)) return { code: readFileSync(id, 'utf8'), map: noMap };
    return id === '\0assert' ? lazyAssert : null;
  },
};

/** The parser as a value. As a property that is read later it stands in a function, which every start would compile. */
function httpParser(id) {
  const [program] = /'[\w+/=]{1000,}'/.exec(readFileSync(id, 'utf8'));
  return `module.exports = require('node:buffer').Buffer.from(${program}, 'base64');`;
}

/** The client makes an error for each header beyond its limit: those of one answer, 10,000 perhaps, take 100 ms. */
function clientOfOneOverflow(id) {
  const code = readFileSync(id, 'utf8');
  const overflow = 'util.destroy(this.socket, new HeadersOverflowError())';
  if (!code.includes(overflow)) throw new Error(`${id} tells of too many headers in another way`);
  return code.replace(overflow, `if (!this.socket.destroyed) ${overflow}`);
}

/** The two tables that the client asks for, worked out here: with all the others they cost each start half a millisecond. */
function parserConstants(id) {
  const { ERROR, TYPE } = createRequire(id)(id);
  return `module.exports = ${JSON.stringify({ ERROR, TYPE })};`;
}

/**
 * Maps of our own code only: those of the packages would weigh more than the program. The thread goes without one, for
 * its modules stand in the program as well, and a second map of them is a twentieth of the package.
 */
function filesOf(chunk) {
  if (chunk.fileName === 'judging-thread.js') return [[chunk.fileName, chunk.code]];
  const isOurs = chunk.moduleIds.some((id) => !vendor.test(id) && !id.startsWith('\0') && !id.startsWith('rolldown:'));
  if (!isOurs) return [[chunk.fileName, chunk.code]];
  const mapName = `${chunk.fileName}.map`;
  return [
    [chunk.fileName, `${chunk.code}//# sourceMappingURL=${mapName}\n`],
    [mapName, JSON.stringify(linesOnly(chunk.map))],
  ];
}

function modulesOf(chunk, top) {
  return chunk.moduleIds.filter((id) => id.startsWith(top)).map((id) => relative(top, id));
}

function licences(modules, top) {
  const folders = new Set([...modules].map((id) => /^.*node_modules\/(@[^/]+\/)?[^/]+/.exec(id)?.[0]).filter(Boolean));
  const texts = [...folders].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(top, folder, 'package.json'), 'utf8'));
    return `${name} ${version} (${license})\n\n${licenceText(join(top, folder), name).trim()}\n`;
  });
  return `motif holds code of these packages.\n\n${texts.join(`\n${'-'.repeat(80)}\n\n`)}`;
}

function licenceText(folder, name) {
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)\b/i.test(file));
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8'));
  if (name in withoutLicenceText) texts.push(withoutLicenceText[name]);
  if (texts.length > 0) return texts.join('\n');
  throw new Error(`${name} ships no licence text: name it as an exception in .config/build.mjs, with its terms`);
}

/** Written beside and moved into place, so that a test that runs meanwhile sees an old program or a new one. */
function replaceFolder(folder, files) {
  const fresh = join(dirname(folder), `node_modules/.cache/dist-${process.pid}`);
  mkdirSync(fresh, { recursive: true });
  for (const [name, content] of files) writeFileSync(join(fresh, name), content);
  rmSync(folder, { recursive: true, force: true });
  renameSync(fresh, folder);
}
