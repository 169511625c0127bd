import type { Command } from 'commander';
import type { SettingKey } from '../../settings/table.ts';
import type { World } from '../../world/world.ts';

/** Declares a command's arguments and flags. `load` does the same for another one, for help and completion. */
export type RegisterCommand = (command: Command, world: World, load: (other: Command) => Promise<void>) => void;

/** Understood by every command; declared in `program.ts`. */
export interface GlobalFlags {
  readonly quiet?: boolean;
  readonly color?: 'always' | 'never' | 'auto';
  readonly accessible?: boolean;
  readonly debug?: boolean;
}

/** Which service, which Motif, and how to reach it: what every command that asks the service shares. */
export interface ConnectionFlags extends GlobalFlags {
  readonly profile?: string;
  readonly url?: string;
  readonly motif?: string;
  readonly tenant?: string;
  readonly timeout?: string;
  readonly connectTimeout?: string;
  readonly retries?: string;
  readonly cacert?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly proxy?: string;
  readonly allowHttp?: boolean;
}

/** Helps by example first: the examples stand between the summary and the flags. */
export function describe(command: Command, summary: string, examples: readonly string[]): Command {
  const shown = examples.map((example) => `  ${example}`).join('\n');
  return command.description(examples.length === 0 ? `${summary}.` : `${summary}.\n\nExamples:\n${shown}`);
}

export function withConnection(command: Command): Command {
  return withReach(
    command
      .option('-p, --profile <name>', 'the profile to use')
      .option('--url <address>', "the Motif's address, or a base URL beside --motif")
      .option('--motif <id>', 'Motif ID; replaces the one at the end of the address')
      .option('--tenant <id>', 'tenant ID'),
  ).option('--retries <n>', 'further attempts where the prompt surely did not run (2)');
}

/** How to reach the service, for commands that take the address in another way. */
export function withReach(command: Command): Command {
  return command
    .option('--timeout <duration>', 'for everything, retries included (5m)')
    .option('--connect-timeout <duration>', 'for reaching the service (10s)')
    .option('--cacert <file>', 'trust this CA too')
    .option('--cert <file>', 'client certificate')
    .option('--key <file>', 'key of the client certificate')
    .option('--proxy <address>', 'go through this proxy')
    .option('--allow-http', 'allow http:// to another machine');
}

/** The texts of the flags that are settings, for `resolve`. */
export function settingFlags(
  flags: ConnectionFlags & { readonly blockedNotice?: string },
): Partial<Record<SettingKey, string>> {
  const { url, motif, tenant, timeout, connectTimeout, retries, cacert, cert, key, proxy, blockedNotice } = flags;
  const texts = { url, motif, tenant, timeout, connectTimeout, retries, cacert, cert, key, proxy, blockedNotice };
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== undefined));
}

/** For a flag that may be given several times. */
export function collect(value: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, value];
}
