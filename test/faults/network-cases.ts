import { bodyCases, finCases, headCases } from './network-cases-answer.ts';
import { connectCases } from './network-cases-connect.ts';
import { framingCases } from './network-cases-framing.ts';
import { proxyCases } from './network-cases-proxy.ts';
import { limitCases, statusCases, toxicCases } from './network-cases-reply.ts';
import { tlsCases } from './network-cases-tls.ts';
import type { NetworkCase } from './network-scenes.ts';

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
