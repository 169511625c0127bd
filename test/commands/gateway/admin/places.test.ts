import { expect, test } from 'vitest';
import { motif } from '../../../support/motif.ts';
import { gatewayFile, testGateway } from '../../../support/rooms/gateway.ts';

const handbook = '# Hours\nFrom 9 to 18.\n# Kettles\nSome forbidden kettle.\n';

/** Place of a finding in both: `policy / rule  place`. */
function placesIn(stdout: string): string[] {
  return stdout.split('\n').filter((line) => line.startsWith('block '));
}

const passage = /passage 2 of handbook \(handbook\.md\), characters 6-14$/;

test.each([
  { system: 'You answer for Acme.', text: 'a kettle', places: [passage] },
  { system: 'You answer for Acme.', text: 'a forbidden word', places: [passage, /message 1, characters 3-11$/] },
  { system: 'Be forbidden.', text: 'hi', places: [/the Motif's system message, characters 4-12$/] },
])('admin audit and admin try name one place alike: $places', async ({ system, text, places }) => {
  const file = gatewayFile.replace('You answer for Acme.', system);
  const gateway = await testGateway({ file, handbook });
  const { json } = await gateway.ask({ messages: [{ role: 'user', content: text }] });
  const log = gateway.audited().map((line) => `${JSON.stringify(line)}\n`);
  const files = { 'gateway.yaml': file, 'handbook.md': handbook, 'audit.jsonl': log.join('') };
  const audit = await motif(['admin', 'audit', String(json.prompt_id)], { env: {}, files });
  const attempt = await motif(['admin', 'try', '--motif', 'bot', text], { env: {}, files });
  expect(placesIn(audit.stdout)).toEqual(places.map((place) => expect.stringMatching(place) as string));
  expect(placesIn(attempt.stdout)).toEqual(placesIn(audit.stdout));
});
