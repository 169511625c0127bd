import { counted } from '../../text/sizes.ts';
import { hiddenCharacter } from '../policies/readings/normalise.ts';
import { packedTexts } from '../policies/readings/encoded-text.ts';
import { type PreparedText, depthMax } from '../policies/readings/prepare.ts';
import { betweenPieces, type Span, type View } from '../policies/readings/view.ts';

/** One way in which a text was read, and the part of the text as sent that was read so. */
export interface Reading extends Span {
  readonly how: string;
}

/** A text may hold any number of encoded ones. */
const readingsMax = 100;

/** Encoded text that is shorter, or deeper in other encoded text, is not decoded; where there is some, it is said. */
const shortRun =
  /(?<![A-Za-z0-9+/=_-])(?=[A-Za-z0-9+/_-]*\d)(?=[A-Za-z0-9+/_-]*[A-Za-z])[A-Za-z0-9+/_-]{6,14}={0,2}(?![A-Za-z0-9+/=_-])/g;

/** Every reading beside the text as sent, with what was changed to get it; and what could not be read. */
export function readingsOf(text: PreparedText): Reading[] {
  const readings = new Map<string, Reading>();
  const add = (how: string, { start, end }: Span) => {
    const key = `${how} ${start} ${end}`;
    if (how !== '' && !readings.has(key)) readings.set(key, { how, start, end });
  };
  for (const view of text.views) {
    if (readings.size >= readingsMax) break;
    const carriers = view.carriers?.() ?? [view.toSent({ start: 0, end: view.text.length })];
    const pieces = view.carriers === undefined ? [] : view.text.split(betweenPieces);
    carriers.forEach((carrier, index) => {
      if (!isNoise(pieces.length === carriers.length ? pieces[index]! : view.text, view)) add(view.seen, carrier);
    });
    // In a reading of letters alone nothing is taken for encoded.
    if (view.isLetters || view.depth < depthMax) continue;
    for (const { how, carrier } of packedTexts(view.text))
      add(`${joined(view, how)}, which lies too deep to be decoded`, view.toSent(carrier));
  }
  const changes = changesOf(text.sent);
  for (const { start, end } of shortRuns(text)) add('perhaps encoded, and too short to be decoded', { start, end });
  return [...readings.values()]
    .slice(0, readingsMax)
    .map((reading) =>
      reading.how.startsWith('normalised') && reading.end - reading.start === text.sent.length && changes !== ''
        ? { ...reading, how: `${reading.how} (${changes})` }
        : reading,
    );
}

/** Characters of no text that a person writes: of no script, of a rare one, or of nobody. */
const unwritten = /[\p{Co}\p{Cn}\p{Cs}\ufffd\u3400-\u4dbf\ua000-\ua4cf]/u;

/**
 * True for a decoded text that nobody wrote: the bytes of a key are a text in UTF-16 at times, which policies look at
 * and a person has no use for.
 */
function isNoise(text: string, { depth }: View): boolean {
  return depth > 0 && unwritten.test(text);
}

function joined({ seen }: View, how: string): string {
  return seen === '' ? how : `${seen}, ${how}`;
}

function shortRuns({ sent }: PreparedText): Span[] {
  return [...sent.matchAll(shortRun)].flatMap(({ 0: run, index }) => {
    const isHex = /^(?:[0-9a-f]{2}){4,}$/i.test(run);
    const bytes = Buffer.from(run, isHex ? 'hex' : 'base64');
    const isText = bytes.length > 3 && !bytes.toString('utf8').includes('\ufffd') && packedTexts(run).length === 0;
    return isText ? [{ start: index, end: index + run.length }] : [];
  });
}

function changesOf(sent: string): string {
  let hidden = 0;
  let forms = 0;
  for (const character of sent) {
    if (hiddenCharacter.test(character)) hidden++;
    else if (character.normalize('NFKC') !== character) forms++;
  }
  const counts = [
    hidden > 0 && `${counted(hidden, 'invisible character')} taken out`,
    forms > 0 && `${counted(forms, 'character')} in another form by NFKC`,
  ];
  return counts.filter(Boolean).join(', ');
}
