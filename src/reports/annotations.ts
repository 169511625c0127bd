import { posix } from 'node:path';
import { inertText } from './inert.ts';

/** A remark beside a line of a file, in the form that GitHub Actions reads from a job's output. */
interface Annotation {
  readonly kind: 'error' | 'warning';
  /** As it is named in this run's folder. */
  readonly file: string;
  /** As `workspaceFolder` tells it. */
  readonly folder: string;
  readonly line: number;
  readonly title: string;
  readonly message: string;
}

/** The most annotations of a kind: GitHub shows ten for each step, one of which may count the rest. */
export const annotationsMax = 9;

const messageCharactersMax = 1000;

/** This run's folder below the one that GitHub checked out, from which it names files; '' for that one, or another. */
export function workspaceFolder(workspace: string | undefined, folder: string): string {
  const path = posix.relative(workspace ?? folder, folder);
  return path.startsWith('..') ? '' : path;
}

/** One line of output that is the remark; nothing in it can be another command. */
export function annotation({ kind, file, folder, line, title, message }: Annotation): string {
  const place = posix.isAbsolute(file) ? file : posix.join(folder, file);
  const places = { file: place, line: String(line), title };
  const properties = Object.entries(places).map(([name, value]) => `${name}=${escapeProperty(value)}`);
  return `::${kind} ${properties.join(',')}::${escapeData(message.slice(0, messageCharactersMax))}\n`;
}

/** One line of output that is an error of the job as a whole. */
export function remarkOnJob(title: string, message: string): string {
  return `::error title=${escapeProperty(title)}::${escapeData(message.slice(0, messageCharactersMax))}\n`;
}

function escapeData(text: string): string {
  return inertText(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

/** Text in which the runner obeys nothing, because only who knows the token can end it. */
export function fenced(text: string, token: string): string {
  return text === '' ? '' : `::stop-commands::${token}\n${text.endsWith('\n') ? text : `${text}\n`}::${token}::\n`;
}
