import { motif, type MotifSetup } from './motif.ts';
import { answered, blocked, service, type Scripted } from './service.ts';

export const suite = `name: Smoke
cases:
  - { id: greets, prompt: Say hello, answer: { contains: hello }, tags: [smoke] }
  - { id: card, prompt: My card is 4111, expect: blocked, tags: [pii] }
`;
export const files = { 's.motif.yaml': suite };

/** A service that blocks whatever has a card in it. */
export function guarded(replies: { readonly card?: Scripted | Error; readonly greets?: Scripted | Error } = {}) {
  const { card = { body: blocked }, greets = { body: answered } } = replies;
  const script = { card: service(card), greets: service(greets) };
  return {
    send: (async (request, options) =>
      request.body.includes('4111')
        ? script.card.send(request, options)
        : script.greets.send(request, options)) as NonNullable<MotifSetup['send']>,
    requests: () => [...script.card.requests, ...script.greets.requests],
  };
}

export const check = (argv: readonly string[], setup: MotifSetup = {}) =>
  motif(['check', ...argv], { files, send: guarded().send, ...setup });
