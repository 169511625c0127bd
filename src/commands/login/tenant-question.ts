import type { Verification } from '../../client/client.ts';
import { MotifError } from '../../errors.ts';
import { parseGiven } from '../../settings/address.ts';
import type { Profile } from '../../settings/profile-file.ts';
import { settingTable } from '../../settings/table.ts';
import { wordsOfDetail } from '../../wire/failure.ts';
import { askLine, canAsk } from '../../terminal/ask.ts';
import type { Run } from '../shared/run.ts';
import { verify } from '../shared/connection/verify.ts';
import type { GivenToken } from './given-token.ts';

/** Times that a person is asked for a tenant. */
const questionsMax = 3;

interface TenantFlags {
  readonly tenant?: string | undefined;
}

/**
 * The verdict on a token, and the run with the tenant that a person typed for it: where the service may want one, a
 * token that was pasted before is not lost.
 */
export async function verifyWithTenant<F extends TenantFlags>(
  run: Run<F>,
  { token, isTyped }: GivenToken,
  subjectOf: (by: Run<F>) => { readonly profile: Profile; readonly tenantFrom: string },
): Promise<{ readonly run: Run<F>; readonly verification: Verification }> {
  const { world, notice } = run;
  let by = run;
  for (let questions = 0; ; questions += 1) {
    try {
      return { run: by, verification: await verify(subjectOf(by), token, world, notice) };
    } catch (error) {
      const isAsked = isTyped && canAsk(world) && questions < questionsMax;
      if (!isAsked || !(error instanceof MotifError) || error.kind !== 'auth' || error.status !== 403) throw error;
      const sent = subjectOf(by).profile.values.tenant;
      const words = wordsOfDetail(error.detail);
      const said = words === undefined ? [] : [`the service said: ${words}`];
      notice(
        [`${error.message} ${sent === undefined ? 'without a tenant ID' : 'with this tenant ID'}`, ...said].join('\n'),
      );
      const answer = await askLine(world, 'Tenant ID (Enter ends the login)');
      if (answer === '') throw error;
      parseGiven(settingTable.tenant.parse, answer, { name: 'the tenant ID' });
      by = { ...run, flags: { ...run.flags, tenant: answer } };
    }
  }
}
