import { describe, expect, test } from 'vitest';
import { TransportError } from '../../../src/errors.ts';
import { batch, batchService, fileOf, rowsOf } from '../../support/rooms/batch.ts';
import type { FakeWorld } from '../../support/world.ts';

const files = { 'in.txt': Array.from({ length: 60 }, (_, index) => `row ${index}\n`).join('') };
const argv = ['in.txt', '-o', 'out.jsonl', '-j', '4'];

describe('an outage', () => {
  /** Requests 11 to 27 of 60 rows are reset once they were sent. */
  const resetFor17 = () =>
    batchService((_, count) =>
      count > 10 && count <= 27 ? new TransportError('network', 'reset', { layer: 'http', sent: true }) : undefined,
    );

  test('of resets costs 2 x -j rows and one for each four tries, and is said with each next try and its end', async () => {
    const run = await batch(argv, { files }, resetFor17());
    const failed = rowsOf(fileOf(run, 'out.jsonl')).filter(({ error }) => error !== null);
    expect(failed).toHaveLength(9);
    // Tries after 1, 2, 4, 8, 16, 32, 60 s and so on, of which one in 30 s is said.
    expect(run.stderr.match(/next try in .*/g)?.slice(0, 3)).toEqual([
      'next try in 1 s',
      'next try in 32 s',
      'next try in 1 m',
    ]);
    expect(run.stderr).toMatch(/gw\.example is back after 5 m/);
    expect(run.stderr).not.toMatch(/ left · /);
  });

  test('of resets stays in the line of a terminal until it is over', async () => {
    const setup = { files, stderr: { columns: 80 } };
    const run = await batch(argv, setup, resetFor17());
    const frames = run.stderr.split('\r').map((frame) => frame.replace('\u001b[K', ''));
    const [first, last] = [
      frames.findIndex((frame) => frame.includes('held:')),
      frames.findLastIndex((frame) => frame.includes('held:')),
    ];
    expect(
      frames.slice(first, last).filter((frame) => !frame.startsWith('held: gw.example has been out of reach since')),
    ).toEqual([]);
    for (const wait of ['1 s', '2 s', '4 s', '8 s', '16 s', '32 s', '1 m'])
      expect(frames.join('\n')).toContain(`next try in ${wait}\n`);
    expect(frames.at(-1)).toContain('60 rows');
  });

  test('is counted in whole milliseconds', async () => {
    const prepare = (world: FakeWorld): void => {
      const whole = world.monotonic.bind(world);
      world.monotonic = () => whole() * 1.0001;
    };
    const run = await batch([...argv, '--json'], { files, prepare }, resetFor17());
    const { held_ms: heldMs } = JSON.parse(run.stdout) as { held_ms: number };
    expect(heldMs).toBeGreaterThan(1_000);
    expect(heldMs % 1).toBe(0);
  });

  test('that is a limit reads as a wait', async () => {
    const full = batchService((_, count) => (count > 10 && count <= 27 ? { status: 429, body: {} } : undefined));
    const run = await batch([...argv, '--retries', '0'], { files }, full);
    expect(run.stderr).toContain('waiting: gw.example has answered 429 (a limit) since 12:00 UTC; next try in 1 s\n');
    expect(run.stderr).toMatch(/gw\.example takes prompts again after \d+ m/);
    expect(run.stderr).not.toContain('held:');
  });

  test('of a service that answers says its status, and as its end the time that was asked for', async () => {
    const away = batchService(() => ({ status: 500, body: {} }));
    const run = await batch([...argv, '--max-outage', '2s'], { files }, away);
    expect(run.exitCode).toBe(11);
    expect(run.stderr).toContain('held: gw.example has answered 500 since 12:00 UTC; next try in 1 s\n');
    expect(run.stderr).toContain('halted: the service answered 500 for longer than 2 s (--max-outage); 5');
  });
});
