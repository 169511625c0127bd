import type { ChatPorts } from '../../chat/chat.ts';
import { MotifError } from '../../errors.ts';
import { parseGiven } from '../../settings/address.ts';
import { configFolder } from '../../settings/paths.ts';
import { listProfiles } from '../../settings/profile-file.ts';
import { parseTimeout } from '../../settings/table.ts';
import { withNewline } from '../../terminal/output.ts';
import type { FileInfo, World } from '../../world/world.ts';
import { type ChatRun, openProfile } from './chat-motif.ts';
import { copyText } from './clipboard.ts';
import type { Opening } from './opening.ts';
import { createChatOutput } from './chat-output.ts';
import { openConversations, refuseOurs } from '../shared/conversation-store.ts';
import { openOutputFile } from '../shared/output-file.ts';
import { readFilesOf } from '../shared/prompt/parts.ts';
import { namedInside } from '../shared/flags/embedded.ts';

/** The things that a chat may do with this machine. Without a person it works until motif is interrupted. */
export function createPorts(
  run: ChatRun,
  { saved, notice, settings }: Pick<Opening, 'saved' | 'notice' | 'settings'>,
  person?: Pick<ChatPorts, 'working' | 'hasKeys'>,
): ChatPorts {
  const { world, flags } = run;
  const working: ChatPorts['working'] = person?.working ?? ((work) => work(world.interrupted));
  return {
    tell: createChatOutput(run, working),
    saved,
    allowSaving() {
      // Says so where there is no folder for it.
      openConversations(world);
      if (settings.history.value || settings.history.level !== 'environment') return;
      throw new MotifError('usage', `nothing is kept, because ${settings.history.from} is set`, {
        hint: 'start motif chat without it',
      });
    },
    working,
    connect: (profile, stop) => openProfile({ ...run, world: stoppable(world, stop) }, profile),
    allowTime: (duration) => void (run.typed.timeoutMs = parseGiven(parseTimeout, duration, { name: '/timeout' })),
    profiles: () => listProfiles(world.files, configFolder(world)),
    readFiles: (name) => readFilesOf(fromHome(name, world), '/file', world, notice),
    saveFile: createFileWriter(world),
    async addCase(suite, messages, expect) {
      const { addCaseTo, chooseSuiteFile } = await import('../shared/suite-file.ts');
      const path = await chooseSuiteFile(suite === '' ? undefined : fromHome(suite, world), world, '/case');
      return addCaseTo(path, { messages, expect, motif: namedInside(flags) }, world);
    },
    copy: (text) => copyText(text, world),
    isInteractive: person !== undefined,
    hasKeys: person?.hasKeys ?? false,
    contextTokensMax: flags.maxContextTokens,
  };
}

/** Writes files of a chat, one that it wrote itself once more: what it read since is what stands there. */
function createFileWriter(world: World): ChatPorts['saveFile'] {
  const written = new Map<string, string>();
  // Two changes may share a time, as the clock of files ticks.
  const stateOf = ({ modifiedAt, size }: FileInfo): string => `${modifiedAt} ${size}`;
  return async (path, content, command) => {
    const mode = command === '/export' ? 0o600 : undefined;
    const named = fromHome(path, world);
    await refuseOurs(named, command, world);
    const before = await world.files.info(named);
    const isOwn = (info: FileInfo): boolean => written.get(info.identity) === stateOf(info);
    const output = await openOutputFile(named, world, { flag: command, isOwn, mode });
    await output.write(withNewline(content));
    const info = await world.files.info(named);
    if (info?.type === 'file') written.set(info.identity, stateOf(info));
    return before?.type === 'file' && before.size > 0 ? 'replaced' : 'made';
  };
}

/** The same world, whose programs end when the person has waited enough for them. */
function stoppable(world: World, stop: AbortSignal): World {
  return { ...world, run: (child) => world.run({ ...child, stop }) };
}

/** There is no shell here that would know what `~/` means. */
export function fromHome(path: string, { home }: World): string {
  return home !== undefined && path.startsWith('~/') ? `${home}${path.slice(1)}` : path;
}
