import { type SecretRule, assigned, sameness, token } from './secret-rule.ts';

const word = '[A-Za-z0-9]';
const wide = '[A-Za-z0-9_-]';
const hex = '[0-9a-f]';

/** Keys to clouds, hosting, databases and observability. */
export const cloudRules: readonly SecretRule[] = [
  token('aws_access_key', 'AKIA ASIA ABIA ACCA', '[A-Z2-7]{16}'),
  assigned('aws_secret_key', 'aws secret_access_key secretaccesskey', '[A-Za-z0-9/+]{40}'),
  token('aws_bedrock_key', 'ABSK', '[A-Za-z0-9+/]{109,269}={0,2}'),
  token('google_api_key', 'AIza', `${wide}{35}`),
  token('google_oauth_secret', 'GOCSPX-', `${wide}{28}`),
  token('google_oauth_token', 'ya29.', `${wide}{30,400}`),
  {
    name: 'google_service_account',
    keys: ['private_key_id'],
    pattern: /"private_key_id"\s{0,9}:\s{0,9}"([0-9a-f]{40})"/g,
  },
  {
    name: 'azure_storage_key',
    keys: ['accountkey'],
    pattern: /AccountKey\s{0,3}=\s{0,3}([A-Za-z0-9+/]{86}==)/gi,
  },
  {
    name: 'azure_client_secret',
    keys: ['q~'],
    pattern: /(?<![A-Za-z0-9_.~-])[A-Za-z0-9_.~-]{3}[78]Q~[A-Za-z0-9_.~-]{31,34}(?![A-Za-z0-9_.~-])/g,
    fault: sameness,
  },
  {
    name: 'azure_sas',
    keys: ['sig='],
    pattern: /[?&]sv=\d{4}-\d\d-\d\d&[^\s"'<>]{0,300}?\bsig=([A-Za-z0-9%/+]{40,70}(?:=|%3D)?)/gi,
  },
  {
    name: 'azure_shared_access_key',
    keys: ['sharedaccesskey'],
    pattern: /SharedAccessKey\s{0,3}=\s{0,3}([A-Za-z0-9+/]{43}=)/gi,
  },
  {
    name: 'azure_devops_token',
    keys: ['azdo'],
    pattern: /(?<![A-Za-z0-9])[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}(?![A-Za-z0-9])/g,
  },
  assigned('azure_openai_key', 'azure_openai azure-openai ocp-apim-subscription-key', `(?:${hex}{32}|${word}{84})`),
  token('digitalocean_token', 'dop_v1_ doo_v1_ dor_v1_', `${hex}{64}`),
  token('alibaba_access_key', 'LTAI', `${word}{12,24}`),
  token('tencent_secret_id', 'AKID', `${word}{32}`),
  token('ibm_cloud_key', 'ApiKey-', `${wide}{36}`),
  assigned('ibm_api_key', 'ibm_cloud ibmcloud bluemix', `${wide}{44}`),
  token('cloudflare_origin_key', 'v1.0-', `${hex}{24}-${hex}{146}`),
  assigned('cloudflare_api_token', 'cloudflare cf_api', `(?:${wide}{40}|${hex}{37})`),
  assigned('heroku_api_key', 'heroku', `${hex}{8}-${hex}{4}-${hex}{4}-${hex}{4}-${hex}{12}`),
  token('heroku_token', 'HRKU-', `${wide}{36,65}`),
  token('fly_token', 'fo1_ fm1_ fm1a_ fm2_', `[A-Za-z0-9+/=_-]{40,600}`),
  token('vercel_token', 'vcp_ vci_ vca_ vcr_ vck_', `${word}{24,60}`),
  token('netlify_token', 'nfp_', `${word}{36}`),
  token('render_key', 'rnd_', `${word}{28,40}`),
  token('supabase_key', 'sbp_ sb_secret_', `${wide}{30,60}`),
  token('neon_key', 'napi_', `${word}{40,90}`),
  token('planetscale_token', 'pscale_tkn_ pscale_pw_ pscale_oauth_', `[A-Za-z0-9=._-]{32,64}`),
  token('databricks_token', 'dapi', `${hex}{32}(?:-\\d)?`),
  {
    name: 'terraform_cloud_token',
    keys: ['atlasv1'],
    pattern: /(?<![A-Za-z0-9])[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9=_-]{60,70}(?![A-Za-z0-9])/g,
    fault: sameness,
  },
  token('vault_token', 'hvs. hvb. hvr.', `${wide}{24,300}`),
  token('doppler_token', 'dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.', `(?:[a-z0-9_-]{2,35}\\.)?${word}{40,44}`),
  token('pulumi_token', 'pul-', `${hex}{40}`),
  token('grafana_token', 'glsa_', `${word}{32}_${hex}{8}`),
  token('grafana_cloud_token', 'glc_', '[A-Za-z0-9+/]{32,400}={0,2}'),
  assigned('datadog_key', 'datadog dd_api dd_app', `(?:${hex}{40}|${hex}{32})`),
  token('new_relic_key', 'NRAK- NRII- NRJS- NRAL-', `${wide}{19,32}`),
  token('sentry_token', 'sntrys_', '[A-Za-z0-9+/=_]{60,400}'),
  token('sentry_user_token', 'sntryu_', `${hex}{64}`),
  token('dynatrace_token', 'dt0c01. dt0s01. dt0s16.', '[A-Za-z0-9]{24}\\.[A-Za-z0-9]{64}'),
  {
    name: 'age_secret_key',
    keys: ['age-secret-key-1'],
    pattern: /(?<![A-Za-z0-9])AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}(?![A-Za-z0-9])/g,
    marks: ['AGE-SECRET-KEY-1'],
  },
];
