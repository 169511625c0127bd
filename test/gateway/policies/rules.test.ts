import fc from 'fast-check';
import { expect, test } from 'vitest';
import { secretRules } from '../../../src/gateway/policies/kinds/secrets.ts';
import { entities } from '../../../src/gateway/policies/rules/pii/entities.ts';
import { createPolicy } from '../../../src/gateway/policies/index.ts';
import { found, optionsOf, plain, policy } from '../../support/rooms/policies.ts';
import { filled } from '../../support/rooms/samples.ts';

test.each(entities.map(({ name, sample, lookAlike }) => ({ name, sample, lookAlike })))(
  '$name: $sample is found, $lookAlike is not',
  ({ name, sample, lookAlike }) => {
    const only = policy('pii', { entities: [name] });
    expect(found(only, sample)).toHaveLength(1);
    expect(found(only, lookAlike)).toEqual([]);
  },
);

test('each entity names who gives it out', () => {
  expect(entities.filter(({ authority }) => authority.length < 8)).toEqual([]);
});

const names = [...new Set(secretRules.map(({ name }) => name))];

/** The policy with the rules of one name alone. */
function onlySecrets(name: string) {
  return createPolicy({
    ...plain,
    name: 'secrets',
    kind: 'secrets',
    on: new Set(['prompt'] as const),
    action: 'block',
    without: names.filter((other) => other !== name),
    options: optionsOf('secrets'),
  });
}

test.each(secretRules.map(({ name, sample, lookAlike }) => ({ name, sample, lookAlike })))(
  '$name: $sample is found, $lookAlike is not',
  ({ name, sample, lookAlike }) => {
    const only = onlySecrets(name);
    expect(found(only, `it is ${filled(sample)} now`)).toHaveLength(1);
    expect(found(only, `it is ${filled(lookAlike)} now`)).toEqual([]);
  },
);

/** Rules that look for words, whose edges are those of words, where others look for the letter before a key. */
const ofWords = ['told_password', 'told_secret', 'assigned_password'];

test.each(secretRules.filter(({ name }) => !ofWords.includes(name)))(
  '$name: $sample is found behind the escape of a line feed',
  ({ sample }) => {
    expect(found(policy('secrets'), String.raw`it is\n${filled(sample)}\nnow`)).not.toEqual([]);
  },
);

test.each(['.js', '.png', '****', '-x'])('no rule of secrets is put off by %s behind a sample', (ending) => {
  const missed = secretRules.filter(
    ({ name, sample }) =>
      found(onlySecrets(name), `see https://x.example/ ${filled(sample)}${ending} now`).length === 0,
  );
  expect(missed.map(({ name }) => name)).toEqual([]);
});

const assignments = [
  'password = "tr0ub4dor&3"',
  `api key: ${filled('{w32}')}`,
  `session_token = ${filled('{w32}')}`,
  `client_secret: "${filled('{w24}')}"`,
];
const wordsBefore =
  'invalid fake dummy mock bogus non nonmatching csrf xsrf authenticity test old wrong sample public unreal'.split(' ');

test.each(wordsBefore)('the word "%s" before an assignment never frees it', (word) => {
  const ways = [
    `${word} `,
    `${word}. `,
    `${word}: `,
    `${word} user. My `,
    `${word}-protected `,
    `${word}-prod `,
    `${word}\n`,
  ];
  const texts = ways.flatMap((before) => assignments.map((assignment) => `${before}${assignment}`));
  expect(texts.filter((text) => found(policy('secrets'), text).length === 0)).toEqual([]);
});

test.each([
  { text: `csrf_token = "${filled('{w32}')}"`, count: 0 },
  { text: `XSRF-TOKEN: ${filled('{w32}')}`, count: 0 },
  { text: `<input name="authenticity_token" value="${filled('{w32}')}">`, count: 0 },
  { text: 'fake_password = "tr0ub4dor&3"', count: 0 },
  { text: `dummy_client_secret: ${filled('{w24}')}`, count: 0 },
  { text: `nonMatchingToken := "${filled('{a16}')}"`, count: 0 },
  { text: `non_existing_token: ${filled('{w32}')}`, count: 0 },
  { text: `nonmatching.prod.api_key: ${filled('{w32}')}`, count: 1 },
  { text: `CSRF_SECRET=${filled('{w32}')}`, count: 1 },
  { text: `invalid_token = "${filled('{w32}')}"`, count: 1 },
  { text: 'prod.fake.db_password = "tr0ub4dor&3"', count: 1 },
  { text: 'secret = abcdefgh12345678Zq9X', count: 1 },
  { text: 'secret = abcdef123456', count: 0 },
])('$text: $count found', ({ text, count }) => {
  expect(found(policy('secrets'), text)).toHaveLength(count);
});

/** Values that are judged alone: one made by people or programs has words in it, a random one has none. */
test.each([
  { text: 'client_secret = "kJ8x/sdfQ9xLm2"', count: 1 },
  { text: 'access_token: Ab3dK.xyZQ81.hjK2m', count: 1 },
  { text: 'password: $cQ$uc6!NY0g', count: 1 },
  { text: 'password: !0Go0G#lrFG', count: 1 },
  { text: 'token = {w24}.js', count: 1 },
  { text: 'secret_key: {w24}****', count: 1 },
  { text: 'api_key: base64:{b43}=', count: 1 },
  { text: 'Authorization: Api-Token {h40}', count: 1 },
  { text: 'kind: Secret\ndata:\n  .dockercfg: |\n    {b60}=', count: 1 },
  { text: 'password: $DB_PASSWORD', count: 0 },
  { text: 'password: !vault', count: 0 },
  { text: 'token: src/lib/tokens/parser2.ts', count: 0 },
  { text: 'secret: ./certs/2024-01/app.3f2a9c1b.pem', count: 0 },
  { text: '"next-auth": "^5.0.0-beta.30"', count: 0 },
  { text: 'max_tokens: prompt.modelParameters?.maxTokens', count: 0 },
  { text: 'SECRET_NAMES: "GITHUB_TOKEN,COPILOT_TOKEN"', count: 0 },
  { text: 'activity token: android.os.BinderProxy@2bd79ce', count: 0 },
  { text: 'getKey = 0|com.tencent.mm|4097|null|10112', count: 0 },
  { text: 'api_key = "sk-pr****"', count: 0 },
  { text: 'authorization: token123', count: 0 },
  { text: 'APP_KEY=base64:randomkey', count: 0 },
  { text: '"token1": "xoxp-1234567890"', count: 0 },
  { text: 'token = xoxp-572370529330-573807301142-572331691188-####################', count: 0 },
  { text: 'PublicKeyToken=b03f5f7f11d50a3a', count: 0 },
  { text: 'Sec-WebSocket-Key: x3JJHMbDL1EzLkh9GBhXDw==', count: 0 },
  { text: '<label for="password">Password:</label>', count: 0 },
  { text: 'Relaciones clave\n- Precisión del contenido', count: 0 },
  { text: "'password' => '$2y$10$92IXUNpkjO0rOQ5byMi.Ye4oKoEa3Ro9llC'", count: 0 },
  { text: 'postgresql://test:test@localhost:5432/test', count: 0 },
  { text: 'postgresql://admin:admin@db.internal:5432/shop', count: 1 },
  { text: 'postgresql://test:test@localhost/x', count: 0 },
  { text: 'postgres://S3cretPass:S3cretPass@localhost/x', count: 1 },
  { text: 'api_key: "a.b({h32})"', count: 1 },
  { text: 'api_key: "settings.get(stage.apiKeyName)"', count: 0 },
  { text: 'secret: urn:uuid:{w32}', count: 1 },
  { text: 'Lock-Token: urn:uuid:{h8}-{h4}-{h4}-{h4}-{h12}', count: 0 },
  { text: 'secret: "Zk39fj20DkP2mmv83kdQw91.aB3kdQw91mmv83@9f8e"', count: 1 },
  { text: 'secret: "Zk39fj20DkP2-mmv83kdQw91-fj20DkP2mm.md"', count: 1 },
  { text: 'auth_code: 482910|839201|118273', count: 1 },
  { text: 'api_secret: "839201,482910"', count: 1 },
  { text: 'password: "Correct,Horse,Battery,Staple"', count: 1 },
  { text: 'password: "Tiger|Lion|Bear"', count: 1 },
  { text: 'password: "2024.11-tiger"', count: 1 },
  { text: 'password: "Correct:Horse:Battery:"', count: 1 },
  { text: 'secret = NujmiUfM2IWsui#######', count: 1 },
  { text: 'secret: "ApiKey-9fK2mX1aQ7"', count: 1 },
  { text: 'token: v1.0-Ab12Cd34Ef', count: 1 },
  { text: 'secret: "ApiKey-4829103756"', count: 1 },
  { text: 'secret: "pubkey-9fK2mX1aQ7"', count: 1 },
  { text: 'secret: "tk-us-9fK2mX1aQ7"', count: 1 },
  { text: 'secret: "fio-u-9fK2mX1aQ7"', count: 1 },
  { text: 'secret: "xoxb-9fK2mX1aQ7"', count: 1 },
  { text: 'PUBLIC_KEY_TOKEN="Zk39fj20DkP2mmv83kdQw91"', count: 1 },
  { text: 'PUBLIC_KEY_TOKEN="b03f5f7f11d50a3a"', count: 1 },
  { text: 'publicKeyToken="6595b64144ccf1df"', count: 0 },
  { text: "salesforce token - '{w40}'", count: 1 },
  { text: 'api key – {w32}', count: 1 },
  { text: 'First pass - 3.5x faster', count: 0 },
  { text: 'ID:ana PW:dipPr19Gg!', count: 1 },
  { text: 'login ana@10.0.0.1 (pw: Prl23Db#@)', count: 1 },
  { text: 'DB_PW="{w12}7"', count: 1 },
  { text: 'the pw: see the wiki', count: 0 },
  { text: 'npw=12.5kW/day', count: 0 },
  { text: 'access token - not needed here', count: 0 },
  { text: 'token_expires: 2024-11-22T10:15:30Z', count: 0 },
  { text: 'Authorization: HMAC-SHA256', count: 0 },
  { text: '| auth | AES-256-GCM | tokens - gpt-4o-mini-2024-07-18 |', count: 0 },
  { text: 'get_secret: "ec2_region_name"', count: 0 },
  { text: 'secret_key_spec = "RSA_2048"', count: 0 },
  { text: 'auth = auth.acme.example:8443', count: 0 },
  { text: 'activation key : ZAQWS-XCDER-VBGTR-FRTGU-KLMNX', count: 1 },
  { text: 'api_key: live-{w16}-2024', count: 1 },
  { text: 'api_key: {h8}-{h4}-{h4}-{h4}-{h12}', count: 1 },
  { text: 'client_secret: 12345678-9012-4210-8123-901234560012', count: 1 },
  { text: 'access_token: {a6}-{a6}-{a6}', count: 1 },
  { text: '| apiKey | {h40} | for staging |', count: 1 },
  { text: '(Token|Secret|Body|Cookie|FormValue)', count: 0 },
  { text: 'token = " {w43} "', count: 1 },
  { text: 'if (browserKey != "{w20}") return;', count: 1 },
  { text: 'Connect-VIServer -User ana -Password VMware1!', count: 1 },
  { text: 'cleanup.exe -storagekey {w40} -quiet', count: 1 },
  { text: 'the access token configuration-of-the-server-2024 page', count: 0 },
  { text: 'SECRET key={w32}', count: 1 },
  { text: 'export MATTERMOST_PAT="{a26}"', count: 1 },
  { text: 'd7_secret: "u@D7Gt)t>8d(LtH^(lv<g="', count: 1 },
  { text: 'secret: "<the secret of the app>"', count: 0 },
  { text: 'api_secret: REPLACE_WITH_SECRET_1', count: 0 },
  { text: 'token: {h32}', count: 1 },
  { text: "ALTER ROLE app WITH LOGIN PASSWORD '{w10}9';", count: 1 },
  { text: 'types that are not natively identified by Phileas.', count: 0 },
  { text: "HTTPBasicAuth('ana', 'not_a_real_password')", count: 0 },
  { text: 'cloudinary://715268876851676:{w27}@acme', count: 1 },
  { text: 'DATABASE_URL: "postgresql://test:test@localhost:5432/x"', count: 0 },
  { text: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbmEifQ', count: 1 },
  { text: 'eyJhIjoxLCJiIjoyfQaaaa.eyJzdWIiOiJhbmEifQ', count: 0 },
  { text: 'ARGS="--token 9fK2mQ7xL4pZ"', count: 1 },
  { text: 'DEPLOY_ARGS=--token 9fK2mQ7xL4pZ', count: 1 },
  { text: '["--token 9fK2mQ7xL4pZ"]', count: 1 },
  { text: '(--token 9fK2mQ7xL4pZ)', count: 1 },
  { text: 'run with `--token 3f2a9c71be04d5`', count: 1 },
  { text: 'ARGS="--password hunter2!x"', count: 1 },
  { text: 'Use `--password Kx9!mmPq2z` here', count: 1 },
  { text: '- args: ["--password Kx9!mmPq2z"]', count: 1 },
  { text: 'require golang.org/x/oauth2 v0.0.0-20210514164344-f6687ab2804c', count: 0 },
  { text: 'github.com/docker/docker-credential-helpers v0.6.4-0.20210125172408-38bea2ce277a', count: 0 },
  { text: 'github.com/aws/aws-sdk-go-v2/credentials v1.13.5-0.20230101120000-abcdef123456', count: 0 },
  { text: 'Bump actions/create-github-app-token 3378cda945da322a8db4b193e19d46352ebe2de5', count: 0 },
  { text: 'commit auth 3378cda945da322a8db4b193e19d46352ebe2de5', count: 0 },
  { text: 'The USDT token 0xdAC17F958D2ee523a2206206994597C13D831ec7 is on Ethereum.', count: 0 },
  { text: '- Auth - https://datatracker.ietf.org/doc/html/rfc6749', count: 0 },
  { text: 'Authorization - RFC7235-section-4.2', count: 0 },
  { text: 'token - Qwen2.5-Coder-32B-Instruct-GGUF', count: 0 },
  { text: 'Token | Qwen/Qwen2.5-7B-Instruct', count: 0 },
  { text: 'encryption key - RSA-OAEP-256/A256GCM', count: 0 },
  { text: 'Signing key - ECDSA_P256_SHA256', count: 0 },
  { text: '| token | 550e8400-e29b-41d4-a716-446655440000 |', count: 0 },
  { text: 'secret | projects/123456789/secrets/db', count: 0 },
  { text: 'Objects are identified by SHA-256.', count: 0 },
  { text: 'Patients are identified by P12345 in this study.', count: 0 },
  { text: 'identified by ENSG00000139618', count: 0 },
  { text: 'was identified by CVE-2024-3094', count: 0 },
  { text: 'Each row is identified by id_2024.', count: 0 },
  { text: 'How are proteins identified by LC-MS2?', count: 0 },
  { text: 'Create user accounts with password rules2024.', count: 0 },
  { text: "CREATE USER app IDENTIFIED BY 'kQ9mmPq2z81!';", count: 1 },
  { text: 'CREATE USER app IDENTIFIED BY kQ9mmPq2z81;', count: 1 },
  { text: "GRANT ALL ON *.* TO ana@'%' IDENTIFIED BY Winter2024x", count: 1 },
  { text: "ALTER ROLE app WITH LOGIN PASSWORD 'kQ9mmPq2z81';", count: 1 },
  { text: "CREATE LOGIN app WITH PASSWORD = 'kQ9mmPq2z81';", count: 1 },
  { text: "identified by 'kQ9mmPq2z81'", count: 1 },
  { text: "ALTER USER app IDENTIFIED WITH mysql_native_password BY 'kQ9mmPq2z81'", count: 1 },
  { text: 'client_secret: BASE-99281734-88172634', count: 1 },
  { text: 'license_key: ALPHA-1234-5678-9012-3456', count: 1 },
  { text: 'license_key=OFFICE-20481-99183-77261', count: 1 },
  { text: 'AUTH_TOKEN=internal-7f-99887766', count: 1 },
  { text: 'API_TOKEN=webhook-5f-83920175', count: 1 },
  { text: 'api_key: acme-prod-82736451', count: 1 },
  { text: 'token=session-48271936', count: 1 },
  { text: 'secret: Winter-2024-77', count: 1 },
  { text: 'secret=Sommer-2025', count: 1 },
  { text: 'token: brave-otter-48213', count: 1 },
  { text: 'secret_key: correct-horse-battery-staple-42', count: 1 },
  { text: 'Authorization: scram-sha-256', count: 0 },
  { text: 'auth: ggshield.cmd.auth:auth_group', count: 0 },
  { text: 'access_key: test-access-key-id-2', count: 0 },
  { text: 'token: gpt-4o-mini-2024-07-18', count: 0 },
  { text: 'key_spec_secret: RSA_2048', count: 0 },
  { text: 'pscp -p report2.docx ana@host:/srv', count: 0 },
  { text: 'ptr_to_the_first_element_of_the_linked_list_n', count: 0 },
  { text: 'secret-test-multiple-containers-with-different-keys2', count: 0 },
  { text: 'AQAAABAAAAAgAAAAMAAAAEAAAABQAAAAYAAAAHAAAAA=', count: 0 },
  { text: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbmEifQ.<signature>', count: 0 },
  { text: 'plink -pw Kx9mmPq2z ana@host', count: 1 },
  { text: 'pscp -pw Kx9mmPq2z file ana@host:/srv', count: 1 },
  { text: 'psexec \\\\host -u ana -p Kx9mmPq2z cmd', count: 1 },
  { text: 'ALTER USER app ACCOUNT UNLOCK IDENTIFIED BY kQ9mmPq2z81', count: 1 },
  { text: 'CREATE ROLE app WITH LOGIN PASSWORD kQ9mmPq2z81;', count: 1 },
  { text: 'Create user stories identified by JIRA-1234', count: 0 },
  { text: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbmEifQ.signature', count: 0 },
  { text: 'https://app.powerbi.com/view?r=eyJrIjoi{w80}', count: 0 },
  { text: '<secret>{acme AQAAABAAAAAQ{w44}}</secret>', count: 1 },
])('by its value, $text: $count found', ({ text, count }) => {
  expect(found(policy('secrets'), filled(text))).toHaveLength(count);
});

test.each([300, 2_000])('an assigned secret of %i characters is found to its last one', (length) => {
  const secret = filled(`0.{w${length}}`);
  expect(found(policy('secrets'), `"refresh_token": "${secret}", "next": 1`)).toEqual([`assigned_secret: ${secret}`]);
});

test('property: a rule of secrets with a sign matches no text without it', () => {
  const withSign = secretRules.filter(({ sign }) => sign !== undefined);
  expect(withSign).not.toEqual([]);
  const pieces = withSign.flatMap(({ sample }) => filled(sample).split(/(?<=\W)|(?=\W)/));
  const texts = fc.array(fc.constantFrom(...pieces, ':', '/', '.', '-', '_', 'a'), { maxLength: 30 });
  fc.assert(
    fc.property(fc.constantFrom(...withSign), texts, ({ pattern, sign }, parts) => {
      expect(parts.join('').replaceAll(sign!, '').match(pattern)).toBeNull();
    }),
  );
  for (const { sign, sample } of withSign) expect(filled(sample)).toContain(sign);
});
