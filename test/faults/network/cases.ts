import { bodyCases, finCases, headCases } from './cases/answer.ts';
import { connectCases } from './cases/connect.ts';
import { framingCases } from './cases/framing.ts';
import { proxyCases } from './cases/proxy.ts';
import { limitCases, statusCases, toxicCases } from './cases/reply.ts';
import { tlsCases } from './cases/tls.ts';
import type { NetworkCase } from './scenes.ts';

/** Every injection, to be met through the transport alone or through the whole program. */
export const networkCases: readonly NetworkCase[] = [
  ...connectCases,
  ...headCases,
  ...bodyCases,
  ...finCases,
  ...framingCases,
  ...statusCases,
  ...limitCases,
  ...toxicCases,
  ...tlsCases,
  ...proxyCases,
];
