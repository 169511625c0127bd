import { createClient, type Verification } from '../../../client/client.ts';
import { MotifError } from '../../../errors.ts';
import type { Profile } from '../../../settings/profile-file.ts';
import { resolve } from '../../../settings/resolve.ts';
import type { Secret } from '../../../text/secret.ts';
import { motifPlaces } from '../../../wire/motif-places.ts';
import type { MotifTarget } from '../../../wire/request.ts';
import type { World } from '../../../world/world.ts';
import { readConnection, requireTarget } from './connection.ts';
import { promptTime } from './destination.ts';
import type { Notice } from '../notices.ts';

/** A login gives up sooner than a prompt. */
const verifyTimeoutMsMax = 30_000;

/** A service may say 401 of a token that only lacks its tenant. */
function tenantNote(target: MotifTarget): string {
  return `no tenant was sent; a token that needs one: --tenant ID (${motifPlaces(target).tenant})`;
}

/** The service's verdict on a token, if it could be asked; throws kind `auth`, so that a wrong token is never saved. */
export async function verify(
  { profile, tenantFrom }: { readonly profile: Profile; readonly tenantFrom: string },
  token: Secret,
  world: World,
  notice: Notice,
): Promise<Verification> {
  // Verifies what will be stored: a tenant that only this shell knows would be missing tomorrow.
  const env = { ...world.env, MOTIF_TENANT_ID: undefined };
  const settings = resolve({ flags: {}, allowHttp: profile.allowHttp, isProfileNamed: true }, env, profile);
  const target = await requireTarget(settings, world);
  const connection = await readConnection(settings, target, world, notice);
  await world.expectShortRun();
  const client = createClient(
    {
      target,
      token,
      isLogin: true,
      tokenFrom: 'this login',
      tokenAdvice: motifPlaces(target).tokenAgain,
      tenant: settings.tenant && { ...settings.tenant, from: tenantFrom },
      connection,
      ...promptTime(settings, verifyTimeoutMsMax),
      retries: 0,
    },
    world,
    { notice },
  );
  try {
    return await client.verify(world.interrupted);
  } catch (error) {
    if (!(error instanceof MotifError)) throw error;
    if (error.kind === 'auth') {
      const [first = '', ...rest] = error.hints;
      const asksForTenant = error.status === 401 && settings.tenant === undefined;
      error.hints = [first, ...(asksForTenant ? [tenantNote(target)] : []), ...rest, 'nothing was saved'];
      throw error;
    }
    return { accepted: false, status: error.status, failure: error };
  }
}
