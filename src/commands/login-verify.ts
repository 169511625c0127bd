import { createClient } from '../client/client.ts';
import { MotifError } from '../errors.ts';
import type { Profile } from '../settings/profile-file.ts';
import { resolve } from '../settings/resolve.ts';
import type { Secret } from '../text/secret.ts';
import type { World } from '../world/world.ts';
import { readConnection, requireTarget } from './connection.ts';
import type { Notice } from './notices.ts';

/** A login is not a prompt: nobody waits five minutes for it. */
const verifyTimeoutMsMax = 30_000;

/** A service may say 401 of a token that only lacks its tenant. */
export const tenantNote = 'no tenant was sent; a token that needs one: --tenant ID (console > settings)';

/** True or false as the service said; kind `auth` is thrown, so that a wrong token is never saved. */
export async function verify(profile: Profile, token: Secret, world: World, notice: Notice): Promise<boolean> {
  // What is verified is what will be stored: a tenant that only this shell knows would be missing tomorrow.
  const env = { ...world.env, MOTIF_TENANT_ID: undefined };
  const settings = resolve({ flags: {}, allowHttp: profile.allowHttp, isProfileNamed: true }, env, profile);
  const target = requireTarget(settings);
  const connection = await readConnection(settings, target, world, notice);
  await world.expectShortRun();
  const client = createClient(
    {
      target,
      token,
      tokenFrom: 'this login',
      tenant: settings.tenant?.value,
      connection,
      timeoutMs: Math.min(settings.timeout.value, verifyTimeoutMsMax),
      retries: 0,
    },
    world,
    { notice },
  );
  try {
    const { accepted, status } = await client.verify(world.interrupted);
    if (status === 404) notice('the service answered 404: is the address right?');
    else if (!accepted) notice(`not verified: the service answered ${status}`);
    return accepted;
  } catch (error) {
    if (!(error instanceof MotifError)) throw error;
    if (error.kind === 'auth') {
      const asksForTenant = error.status === 401 && settings.tenant === undefined;
      if (asksForTenant) error.withNote(tenantNote);
      throw error.withNote('nothing was saved');
    }
    notice(`not verified: ${error.message}`);
    return false;
  }
}
