import { type SecretRule, sameness, token } from './rule.ts';

const word = '[A-Za-z0-9]';
const wide = '[A-Za-z0-9_-]';
const hex = '[0-9a-f]';
const uuid = `${hex}{8}(?:-${hex}{4}){3}-${hex}{12}`;

/** A rule whose mark begins names of programs as well: a token has figures and both cases. */
function mixed(rule: SecretRule): SecretRule {
  const isMixed = (found: string) => /\d/.test(found) && /[a-z]/.test(found) && /[A-Z]/.test(found);
  return { ...rule, fault: (found) => (isMixed(found) ? rule.fault?.(found) : 'a name of a program') };
}

/** Tokens of further services, each with a mark of its own, and addresses that let in whoever knows them. */
export const markedRules: readonly SecretRule[] = [
  token('akamai_token', 'akab-', '[a-z0-9]{16}-[a-z0-9]{16}', 'akab-{a16}-{a16} not akab-{a16}-{a15}'),
  token('bitbucket_server_token', 'BBDC-', '[A-Za-z0-9+/]{44}', 'BBDC-{w44} not BBDC-{w43}'),
  token('cosmo_key', 'cosmo_', `${hex}{32}`, 'cosmo_{h32} not cosmo_{h31}'),
  token('dependency_track_key', 'odt_', `${word}{32}`, 'odt_{w32} not odt_{w31}'),
  token(
    'docker_swarm_token',
    'SWMTKN-1- SWMKEY-1-',
    `${word}{43,50}(?:-[a-z0-9]{25})?`,
    'SWMTKN-1-{a50}-{a25} not SWMTKN-1-{a30}',
  ),
  token('kolide_key', 'k2sk_v1_', `${word}{24}`, 'k2sk_v1_{w24} not k2sk_v1_{w23}'),
  token('llama_cloud_key', 'llx-', `${wide}{48}`, 'llx-{v48} not llx-{v47}'),
  token('adobe_client_secret', 'p8e-', '[a-z0-9]{32}', 'p8e-{a32} not p8e-{a31}'),
  token('adafruit_key', 'aio_', `${word}{28}`, 'aio_{w28} not aio_{w27}'),
  token('amazon_mws_token', 'amzn.mws.', uuid, 'amzn.mws.{h8}-{h4}-{h4}-{h4}-{h12} not amzn.mws.{h8}-{h4}-{h4}-{h4}'),
  token('axiom_token', 'xaat- xapt-', uuid, 'xaat-{h8}-{h4}-{h4}-{h4}-{h12} not xaat-{h8}-{h4}-{h4}-{h4}'),
  token('aws_appsync_key', 'da2-', '[a-z0-9]{26}', 'da2-{a26} not da2-{a25}'),
  token('bannerbear_key', 'bb_pr_ bb_ma_', `${hex}{30}`, 'bb_pr_{h30} not bb_pr_{h29}'),
  token('besttime_key', 'pri_', `${hex}{32}`, 'pri_{h32} not pri_{h31}'),
  token('cerebras_key', 'csk-', '[a-z0-9]{48}', 'csk-{a48} not csk-{a47}'),
  token('clickup_token', 'pk_', '\\d{6,9}_[A-Z0-9]{32}', 'pk_{d8}_{u32} not pk_{d8}_{u31}'),
  token('cloudflare_token', 'cfk_ cfut_ cfat_', `${word}{40,60}`, 'cfut_{w48} not cfut_{w39}'),
  token('cockroach_cloud_key', 'CCDB1_', `${word}{22}_${word}{40}`, 'CCDB1_{w22}_{w40} not CCDB1_{w22}_{w39}'),
  token('contentful_token', 'CFPAT-', `${wide}{43,64}`, 'CFPAT-{v43} not CFPAT-{v42}'),
  token('daytona_key', 'dtn_', `${hex}{64}`, 'dtn_{h64} not dtn_{h63}'),
  token('dbt_token', 'dbtc_ dbtu_', `${wide}{34,46}`, 'dbtc_{v34} not dbtc_{v33}'),
  token('e2b_key', 'e2b_', `${hex}{40}`, 'e2b_{h40} not e2b_{h39}'),
  token('elevenlabs_key', 'sk_', `${hex}{48}`, 'sk_{h48} not sk_{h47}'),
  token('firecrawl_key', 'fc-', `${hex}{32}`, 'fc-{h32} not fc-{h31}'),
  token('github_app_token', 'ghs_', '\\d{1,12}_eyJ[A-Za-z0-9_.-]{60,2000}', 'ghs_{d5}_eyJ{v90} not ghs_{d5}_eyJ{v50}'),
  token('google_refresh_token', '1//0', `${wide}{40,120}`, '1//0{v60} not 1//0{v30}'),
  token('helicone_key', 'sk-helicone-', `${wide}{20,60}`, 'sk-helicone-{v30} not sk-helicone-{v12}'),
  token('jina_key', 'jina_', `${hex}{32}${wide}{28}`, 'jina_{h32}{v28} not jina_{h32}{v20}'),
  token('langfuse_key', 'sk-lf-', uuid, 'sk-lf-{h8}-{h4}-{h4}-{h4}-{h12} not sk-lf-{h8}-{h4}-{h4}-{h4}'),
  token('logfire_token', 'pylf_v', `[12]_[a-z]{2}_${word}{40,60}`, 'pylf_v1_us_{w43} not pylf_v1_us_{w20}'),
  token('mongodb_atlas_secret', 'mdb_sa_sk_', `${wide}{40}`, 'mdb_sa_sk_{v40} not mdb_sa_sk_{v39}'),
  token('new_relic_admin_key', 'NRAA- NRRA-', `${hex}{27,42}`, 'NRAA-{h27} not NRAA-{h26}'),
  token('notion_secret', 'secret_', `${word}{43}`, 'secret_{w43} not secret_{w42}'),
  token(
    'onfido_token',
    'api_live. api_live_us. api_live_ca. api_live_eu. api_sandbox. api_sandbox_us. api_sandbox_ca.',
    `${wide}{11}\\.${wide}{32}`,
    'api_live.{v11}.{v32} not api_live.{v11}.{v31}',
  ),
  token('pagarme_key', 'ak_live_ ak_test_', `${word}{30}`, 'ak_live_{w30} not ak_live_{w29}'),
  token('pganalyze_key', 'pgar_ pgaw_', `${word}{27}`, 'pgar_{w27} not pgar_{w26}'),
  mixed(token('portainer_token', 'ptr_', `[A-Za-z0-9/_+-]{40,46}={0,2}`, 'ptr_{w43} not ptr_{w39}')),
  token('posthog_key', 'phx_ phs_ phr_ pha_', `${word}{43,64}`, 'phx_{w43} not phx_{w42}'),
  token('ramp_secret', 'ramp_sec_', `${word}{48}`, 'ramp_sec_{w48} not ramp_sec_{w47}'),
  token('rootly_key', 'rootly_', `${hex}{64}`, 'rootly_{h64} not rootly_{h63}'),
  token('scrapfly_key', 'scp-live- scp-test-', `${hex}{32}`, 'scp-live-{h32} not scp-live-{h31}'),
  token('model_vendor_key', 'sk-', `${word}{40,64}`, 'sk-{w48} not sk-{w39}'),
  token('spectral_token', 'spu-', `${hex}{32}`, 'spu-{h32} not spu-{h31}'),
  mixed(
    token(
      'stytch_secret',
      'secret-live- secret-test-',
      `${wide}{36,48}={0,2}`,
      'secret-live-{v36} not secret-live-{v30}',
    ),
  ),
  token(
    'tailscale_key',
    'tskey-',
    `(?:api|auth|client|scim|webhook)-${word}{6,24}-${word}{20,40}`,
    'tskey-auth-{w11}-{w32} not tskey-auth-{w11}-{w9}',
  ),
  token('teamwork_token', 'tkn.v1_', '[A-Za-z0-9+/]{71,90}={0,2}', 'tkn.v1_{w71} not tkn.v1_{w60}'),
  token('together_key', 'tgp_v1_', `${wide}{43}`, 'tgp_v1_{v43} not tgp_v1_{v42}'),
  token('trello_token', 'ATTA', `${hex}{64}[0-9A-F]{8}`, 'ATTA{h64}{d8} not ATTA{h64}{d7}'),
  token('voiceflow_key', 'VF.', `(?:DM|WS)\\.${hex}{24}\\.${word}{16}`, 'VF.DM.{h24}.{w16} not VF.DM.{h24}.{w15}'),
  token('woocommerce_secret', 'cs_', `${hex}{40}`, 'cs_{h40} not cs_{h39}'),
  token('yandex_oauth_token', 'y0_', `${wide}{50,70}`, 'y0_{v55} not y0_{v49}'),
  {
    name: 'mailgun_key',
    sample: 'mailgun: {h32}-{h8}-{h8}',
    lookAlike: 'mailgun: {h32}-{h8}-{h7}',
    keys: ['mailgun', 'api:'],
    pattern: /(?<![A-Za-z0-9-])[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}(?![A-Za-z0-9])/g,
    fault: sameness,
  },
  {
    // The seed of an account, a user or a server, in base32; a checksum ends it.
    name: 'nats_seed',
    sample: 'SUA{x55}',
    lookAlike: 'SUA{x40}',
    keys: ['sua', 'soa', 'saa', 'sca', 'sna', 'sxa'],
    pattern: /(?<![A-Za-z0-9])S[AUOCNX]A[A-Z2-7]{55}(?![A-Za-z0-9])/g,
    fault: sameness,
  },
  {
    name: 'dropbox_token',
    sample: 'sl.B{v135}',
    lookAlike: 'sl.B{v80}',
    keys: ['sl.a', 'sl.b', 'sl.c', 'sl.u.'],
    pattern: /(?<![A-Za-z0-9.])sl\.(?:[ABC]|u\.)[A-Za-z0-9_-]{120,1400}(?![A-Za-z0-9_-])/g,
    fault: sameness,
  },
  {
    name: 'salesforce_session',
    sample: '00D5g000004VxYz!AQ{w96}',
    lookAlike: '00D5g000004VxYz!AQ{w30}',
    keys: ['00d'],
    pattern: /(?<![A-Za-z0-9])00D[A-Za-z0-9]{12,15}![A-Za-z0-9_.]{80,220}(?![A-Za-z0-9_])/g,
    fault: sameness,
  },
  {
    name: 'new_relic_licence',
    sample: '{h36}NRAL',
    lookAlike: '{h20}NRAL',
    keys: ['nral', '-nrma'],
    pattern: /(?<![A-Za-z0-9])(?:AA|[a-z]{2}\d\dxx?)?[0-9a-f]{30,42}(?:NRAL|-NRMA)(?![A-Za-z0-9])/g,
    fault: sameness,
  },
  {
    name: 'firebase_server_key',
    sample: 'AAAA{v7}:APA91b{v134}',
    lookAlike: 'AAAA{v7}:APA91b{v90}',
    keys: [':apa91b'],
    pattern: /(?<![A-Za-z0-9_-])AAAA[A-Za-z0-9_-]{7}:APA91b[A-Za-z0-9_-]{134}(?![A-Za-z0-9])/g,
    fault: sameness,
  },
  {
    name: 'grafana_legacy_key',
    sample: 'eyJrIjoi{w80}',
    lookAlike: 'eyJrIjoi{w30}',
    keys: ['eyjrijoi'],
    // The address of a report of Power BI, behind `?r=`, is of the same form.
    pattern: /(?<![A-Za-z0-9]|[?&]r=)eyJrIjoi[A-Za-z0-9+/]{60,400}={0,2}(?![A-Za-z0-9])/g,
    fault: sameness,
  },
  {
    name: 'jenkins_secret',
    sample: '<secret>{AQAAABAAAAAQ{w44}}</secret>',
    lookAlike: 'AQAAABAAAAAgAAAAMAAAAEAAAABQAAAAYAAAAHAAAAA=',
    keys: ['aqaaabaaa'],
    pattern: /(?<=\{(?:[\w.-]{1,40} )?)AQAAABAAA ?[^\s"'<>{}]{16,4000}(?=\})/g,
    fault: sameness,
  },
  {
    name: 'azure_marked_key',
    sample: '{w76}+ASt{w6}==',
    lookAlike: '{w40}+ASt{w6}==',
    keys: ['+ast', 'acdb', '+aba', '+amc', 'aiot', '+asb', '+aeh', '+arm', 'azfu', 'azse', 'azca', 'jqqj99'],
    pattern:
      /(?<![A-Za-z0-9+/])(?:[A-Za-z0-9+/]{76}(?:\+ASt|ACDb|\+ABa|\+AMC)[A-Za-z0-9+/]{6}==|[A-Za-z0-9+/]{33}(?:AIoT|\+ASb|\+AEh|\+ARm)[A-Za-z0-9+/]{6}=|[A-Za-z0-9_-]{44}AzFu[A-Za-z0-9_-]{5,7}={0,2}|[A-Za-z0-9]{42}Az(?:Se|Ca)[A-Za-z0-9]{6}|[A-Za-z0-9]{52}JQQJ99[A-Za-z0-9]{26})(?![A-Za-z0-9+/=])/g,
    fault: sameness,
  },
  {
    name: 'azure_workflow_address',
    sample:
      'https://prod-1.westeurope.logic.azure.com:443/workflows/{h32}/triggers/manual/paths/invoke?sv=1.0&sig={v43}',
    lookAlike: 'https://prod-1.westeurope.logic.azure.com:443/workflows/{h32}/triggers/manual/paths/invoke?sv=1.0',
    keys: ['logic.azure.com', 'powerplatform.com'],
    pattern: /\.(?:logic\.azure|api\.powerplatform)\.com[:/][^\s"'<>]{0,400}?[?&]sig=([A-Za-z0-9_%-]{40,90})/g,
    fault: sameness,
  },
  {
    name: 'node_address',
    sample: 'https://mainnet.infura.io/v3/{h32}',
    lookAlike: 'https://mainnet.infura.io/v3/{h20}',
    keys: ['infura.io/', '.alchemy.com/v2/', '.alchemyapi.io/v2/'],
    pattern:
      /(?:infura\.io\/(?:ws\/)?v3\/([0-9a-f]{32})|alchemy(?:\.com|api\.io)\/v2\/([A-Za-z0-9_-]{32}))(?![A-Za-z0-9])/g,
    fault: sameness,
  },
  {
    name: 'zapier_webhook',
    sample: 'https://hooks.zapier.com/hooks/catch/{d7}/{a7}/',
    lookAlike: 'https://hooks.zapier.com/hooks/catch/{d7}',
    keys: ['hooks.zapier.com'],
    pattern: /hooks\.zapier\.com\/hooks\/catch\/(\d{4,10}\/[a-z0-9]{6,12})(?![A-Za-z0-9])/g,
    fault: sameness,
  },
];
