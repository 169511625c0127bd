/**
 * Ordinary text of many sorts and any length, the same each time: what policies read all day. Each sort is a list of
 * pieces as people write them, with names, figures, long words, dashes and accents; a text is pieces in changing order
 * with other figures each time, so that no length is a repetition of a shorter one.
 */
const pieces = {
  English: [
    'When Margaret Ellsworth opened the shop in 1987, nobody expected that it would still be there thirty-five years later, let alone that her granddaughter would be running it. ',
    'The council’s report – all 212 pages of it – recommends replacing the boiler before winter, at an estimated cost of £14,500 excluding installation. ',
    'It is unfortunate that the correspondence of 3 October went unanswered; our administrative department has since been reorganised, and responsibility for international deliveries now rests with a different team. ',
    '"I would rather walk," she said, and did, although it had begun to rain and the last bus was applicable at twenty past nine.\n\n',
    'Photosynthesis converts carbon dioxide and water into carbohydrates, releasing oxygen; in temperate climates roughly 40% of it happens between May and July. ',
    'Please let me know whether Thursday afternoon suits you. If not, any day next week except Wednesday would be fine for me as well. ',
    'Naïve as it may sound, most of the passengers believed the announcement: the café would reopen, the Wi-Fi would work, and the train would arrive at 18:42.\n\n',
    'Their disagreement concerned counterintuitive consequences of the recommendation, which the environmental subcommittee had characterised as "disproportionately burdensome". ',
  ],
  German: [
    'Sehr geehrte Frau Dr. Hoffmann, vielen Dank für Ihre Anfrage vom 12. März, die wir inzwischen an die zuständige Abteilung weitergeleitet haben. ',
    'Die Straßenverkehrsordnung schreibt vor, dass außerhalb geschlossener Ortschaften höchstens 100 km/h gefahren werden darf – auch wenn die Straße völlig leer ist. ',
    'Nach über zwanzig Jahren Betriebszugehörigkeit möchte Herr Müller künftig nur noch an drei Tagen arbeiten, was die Geschäftsführung ausdrücklich begrüßt.\n\n',
    'Der Wasserkocher wurde am 7. Oktober zurückgeschickt; die Gutschrift über 49,90 € ist bis heute nicht eingegangen. ',
    'Es regnete, als wir in Tübingen ankamen, und niemand wusste, wo man um diese Uhrzeit noch etwas zu essen bekäme. ',
    'Können Sie mir bitte bestätigen, dass die Nebenkostenabrechnung für das Jahr 2023 überprüft wird? ',
    '„Das hätte ich früher wissen müssen“, sagte sie und schloss die Tür hinter sich.\n\n',
    'Grundstücksverkehrsgenehmigungszuständigkeiten wurden den Landkreisen übertragen, Rückübertragungsansprüche bleiben davon unberührt. ',
  ],
  Markdown: [
    '## Getting started\n\n1. Install the package with `npm install --save-dev retry-queue@2.4.1`.\n2. Copy `config.example.yaml` to `config.yaml`.\n3. Run `make test`; it takes about 45 seconds.\n\n',
    '| Option | Default | Description |\n| --- | ---: | --- |\n| `max_attempts` | 5 | How often a job is tried |\n| `backoff_ms` | 250 | Initial delay, doubled each time |\n| `queue_size` | 10000 | Jobs kept in memory |\n\n',
    'See [the documentation](https://example.com/docs/retry-queue/latest/configuration.html#backoff) for *all* options, or ask in **#platform-support**.\n\n',
    '> **Note**: since version 3.0 the default of `dead_letter` is `true`. Existing deployments keep their setting.\n\n',
    '```js\nconst queue = createQueue({ maxAttempts: 5, backoffMs: 250 });\nqueue.on("failed", ({ id, error }) => log.warn(`job ${id}: ${error.message}`));\n```\n\n',
    '- [x] Support for `AbortSignal` (#412)\n- [ ] Metrics via OpenTelemetry (#398)\n- [ ] Drop Node 18\n\n---\n\n',
    '### Troubleshooting\n\nIf `ECONNREFUSED 127.0.0.1:6379` appears in the log, the store isn’t running – start it with `docker compose up -d redis`.\n\n',
    '![Architecture](./images/architecture-overview.svg)\n\nEach worker acknowledges a job only after `handler()` has resolved.\n\n',
  ],
  code: [
    "import { readFile } from 'node:fs/promises';\nimport { createHash } from 'node:crypto';\n\nconst CHUNK_SIZE = 64 * 1024;\nexport const DEFAULT_TIMEOUT_MS = 30_000;\n\n",
    'export async function fetchWithRetry(url: string, { attempts = 3, delayMs = 200 }: RetryOptions = {}): Promise<Response> {\n  for (let attempt = 1; ; attempt += 1) {\n    const response = await fetch(url);\n    if (response.ok || attempt >= attempts) return response;\n    await sleep(delayMs * 2 ** attempt);\n  }\n}\n\n',
    '/** Rounds half away from zero, because that is what the accountants expect. */\nfunction roundCents(amount: number): number {\n  return Math.sign(amount) * Math.round(Math.abs(amount) * 100 + Number.EPSILON) / 100;\n}\n\n',
    'class ConnectionPool {\n  #idle: Connection[] = [];\n\n  acquire(): Connection {\n    const connection = this.#idle.pop() ?? this.#createConnection();\n    connection.lastUsedAt = Date.now();\n    return connection;\n  }\n}\n\n',
    "SELECT customer_id, SUM(total_amount) AS revenue\n  FROM invoices\n WHERE created_at >= DATE_TRUNC('month', NOW()) - INTERVAL '3 months'\n GROUP BY customer_id\nHAVING SUM(total_amount) > 10000;\n\n",
    'def parse_line(line: str) -> dict[str, str]:\n    """Split a line of key=value pairs."""\n    return dict(pair.split("=", 1) for pair in line.strip().split() if "=" in pair)\n\n\n',
    "describe('roundCents', () => {\n  it.each([[1.005, 1.01], [-2.345, -2.35], [0, 0]])('rounds %d to %d', (amount, expected) => {\n    expect(roundCents(amount)).toBe(expected);\n  });\n});\n\n",
    'if (!isAuthenticated(request.headers["x-session-id"])) {\n  throw new HttpError(401, `session expired after ${SESSION_LIFETIME_MINUTES} minutes`);\n}\n',
  ],
  'JSON lines': [
    '{"ts":"2024-03-11T08:14:22.137Z","level":"info","service":"checkout-api","msg":"order accepted","order":4711823,"items":3,"total":129.95,"currency":"EUR","duration_ms":48}\n',
    '{"ts":"2024-03-11T08:14:22.401Z","level":"debug","service":"inventory","msg":"cache miss","key_count":12,"shard":"eu-west-1b","trace":"4bf92f3577b34da6"}\n',
    '{"ts":"2024-03-11T08:14:23.008Z","level":"warn","service":"mailer","msg":"delivery deferred: mailbox temporarily unavailable (450 4.2.1)","attempt":2,"next_attempt_s":120}\n',
    '{"ts":"2024-03-11T08:14:23.519Z","level":"info","service":"gateway","method":"GET","path":"/v2/products/8841/reviews?limit=20&offset=40","status":200,"bytes":18234,"client":"Mozilla/5.0 (X11; Linux x86_64)"}\n',
    '{"ts":"2024-03-11T08:14:24.772Z","level":"error","service":"payments","msg":"provider timeout","provider":"acquirer-2","elapsed":5000.2,"stack":"TimeoutError: no reply\\n    at Socket.onTimeout (/srv/app/lib/client.js:88:15)"}\n',
    '{"ts":"2024-03-11T08:14:25.016Z","level":"info","service":"search","msg":"query","terms":["wasserkocher","edelstahl"],"hits":57,"took_ms":11.4,"facets":{"brand":14,"price":6}}\n',
    '{"ts":"2024-03-11T08:14:25.350Z","level":"info","service":"checkout-api","msg":"session resumed","session":"c0ffee12-77aa-4c1e-9d53-0b2f6a1e8d90","user":18823,"ab_test":{"new_basket":true}}\n',
  ],
};

export const sorts = Object.keys(pieces);

export function textOf(sort, characters) {
  const from = pieces[sort];
  let text = '';
  let seed = 1;
  const next = (below) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return (seed >> 8) % below;
  };
  while (text.length < characters) {
    const piece = from[next(from.length)];
    text += piece.replace(/\d/g, (digit) => (digit === '0' ? '0' : String(1 + ((Number(digit) + next(9)) % 9))));
  }
  return text.slice(0, characters);
}
