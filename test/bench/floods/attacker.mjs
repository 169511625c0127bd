/** Runs one attack until it is killed, in a process of its own, because to attack takes time as well. */
import { attacksOf } from './attacks.mjs';
import { seeded } from './random.mjs';

const { attack, seed, ...parts } = JSON.parse(process.argv[2]);
await attacksOf({ ...parts, random: seeded(seed) })[attack]();
