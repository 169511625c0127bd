import { exportFormats } from '../../conversations/export.ts';
import { wrap } from '../../text/width.ts';
import { keyTable } from '../editor/keymap.ts';
import { addCase, copyAnswer, extractCode, showUsage } from './answer.ts';
import { addFile, changeSystem, editHeldText, retry, showMessages, undo } from './messages.ts';
import { exportWhole, fork, load, save, setTitle, setTimeLimit, startAnew, switchProfile } from './saved.ts';
import { findSlash, type SlashCommand } from './slash.ts';

/** Every slash command, in the order of the help; completion, the README and the tests are made from it, too. */
export const slashTable: readonly SlashCommand[] = [
  {
    name: 'help',
    words: '[COMMAND]',
    summary: 'this list',
    completes: ['command'],
    run: async (words, { ports }) => ports.tell.text(words === 'keys' ? keysText() : helpText(words)),
  },
  {
    name: 'system',
    words: '[TEXT]',
    summary: 'show or set the system message; "" for none',
    run: changeSystem,
  },
  {
    name: 'file',
    words: '[FILE]',
    summary: 'send it with the next message; "" for none',
    completes: ['path'],
    run: addFile,
  },
  {
    name: 'edit',
    words: '',
    summary: 'change what was not answered, or the last text',
    run: editHeldText,
  },
  {
    name: 'retry',
    words: '',
    summary: 'send that again; or ask for another answer',
    run: retry,
  },
  { name: 'undo', words: '', summary: 'take back what was not answered, or the last turn', run: undo },
  { name: 'messages', words: '', summary: 'what would be sent with the next message', run: showMessages },
  { name: 'usage', words: '', summary: 'tokens of the last turn and the conversation', run: showUsage },
  {
    name: 'profile',
    words: '[NAME]',
    summary: 'show the profiles, or go on with another one',
    completes: ['profile'],
    run: switchProfile,
  },
  { name: 'timeout', words: '[DURATION]', summary: 'show or set the time for one prompt', run: setTimeLimit },
  { name: 'save', words: '[TITLE]', summary: 'save the conversation, also after --no-save', run: save },
  {
    name: 'load',
    words: 'ID|TITLE',
    summary: 'go on with a saved conversation',
    completes: ['conversation'],
    run: load,
  },
  { name: 'fork', words: '[TITLE]', summary: 'go on in a copy; this one stays as it is', run: fork },
  { name: 'title', words: '[TITLE]', summary: 'show or set the title', run: setTitle },
  {
    name: 'copy',
    words: '[FILE]',
    summary: 'put the last answer on the clipboard or in FILE',
    completes: ['path'],
    run: copyAnswer,
  },
  {
    name: 'extract',
    words: '[N|LANGUAGE] [FILE]',
    summary: 'print or save a code block of the last answer',
    completes: ['block', 'path'],
    run: extractCode,
  },
  {
    name: 'export',
    words: '[FORMAT] [FILE]',
    summary: `as ${exportFormats.slice(0, -1).join(', ')} or ${exportFormats.at(-1)}, or as FILE ends`,
    completes: ['format', 'path'],
    run: exportWhole,
  },
  {
    name: 'case',
    words: '[SUITE]',
    summary: 'make the last turn a case of a suite',
    completes: ['path'],
    run: addCase,
  },
  { name: 'clear', words: '', summary: 'a new conversation with the same system message', run: startAnew },
  { name: 'exit', words: '', summary: 'leave; so do exit, quit and Ctrl-D', run: async () => ({ kind: 'leave' }) },
];

export function slashUsage({ name, words }: SlashCommand): string {
  return words === '' ? `/${name}` : `/${name} ${words}`;
}

const notes = ['//text sends /text; with a blank before it, exit or quit is sent, too', '/help keys lists the keys'];

function helpText(words: string): string {
  const named = words === '' ? undefined : findSlash(words.replace(/^\//, ''), slashTable);
  if (named !== undefined) return `${slashUsage(named)}\n  ${named.summary}`;
  const columns = Math.max(...slashTable.map((command) => slashUsage(command).length));
  const rows = slashTable.map((command) => `${slashUsage(command).padEnd(columns)}  ${command.summary}`);
  return [...rows, '', ...notes].join('\n');
}

const keyColumns = 26;
const saysColumns = 51;
/** Keys that do not fit their column go on in the next line, behind an indent. */
const keyLines = new RegExp(`.{1,${keyColumns - 2}}$|.{1,${keyColumns - 3}},(?= )`, 'g');

/** Two columns on lines that fit a terminal of 80. */
function keysText(): string {
  const told = keyTable.flatMap(({ keys, says = '' }) => {
    if (keys === undefined) return [];
    const left = (keys.match(keyLines) ?? []).map((line, at) => (at === 0 ? line : `  ${line.trim()}`));
    const right = wrap(says, saysColumns);
    return Array.from({ length: Math.max(left.length, right.length) }, (_, at) =>
      `${(left[at] ?? '').padEnd(keyColumns)}  ${right[at] ?? ''}`.trimEnd(),
    );
  });
  const elsewhere = [
    'with --accessible only the end of a text can be changed, other keys do nothing',
    'with TERM=dumb the terminal itself edits a line',
  ];
  return [...told, '', ...elsewhere].join('\n');
}
