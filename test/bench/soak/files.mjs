/** The files of the gateway that is soaked: two Motifs that are asked, many that are not, and documents. */

const motifsMax = 2000;
const documentsMax = 20;
const documentBytes = 50_000;

/** Names of the documents, from the folder of the gateway file. */
export const documents = Array.from({ length: documentsMax }, (_, index) => `library/${index}.md`);

/** A document whose words change with its version, so that an old one is seen in nothing but memory. */
export function documentOf(name, version) {
  const parts = [`# ${name}\n`];
  for (let size = 0, at = 0; size < documentBytes; at++) {
    const part = `\n## Part ${at} of version ${version}\n\nParcel p${version}x${at} is kept on shelf s${at * version} for thirty days, then sent back.\n`;
    parts.push(part);
    size += part.length;
  }
  return parts.join('');
}

export function gatewayFile({ port, adminPort, upstreamPort, isTls }) {
  const patterns = Array.from(
    { length: 8 },
    (_, index) => `  p${index}: { kind: regex, pattern: 'acme-${index}[0-9]{6}' }\n`,
  );
  const motifs = Array.from(
    { length: motifsMax },
    (_, index) => `  other-${index}:
    provider: up
    model: m
    system: You answer for team ${index}, in version 0.
    policies: [words]
    tokens:
      - { id: t1, sha256: "${index.toString(16).padStart(64, '0')}" }
`,
  );
  return `listen: { port: ${port}, workers: 2${isTls ? ', tls: { cert: tls.crt, key: tls.key }' : ''} }
admin: { port: ${adminPort} }
audit: { file: audit.jsonl, when_full: refuse }
providers: { up: { kind: openai, base_url: "http://127.0.0.1:${upstreamPort}/v1" } }
policies:
${patterns.join('')}  words: { kind: words, words: [project-x, falcon] }
  pii: { kind: pii, action: redact }
  secrets: { kind: secrets, action: redact }
  injection: { kind: injection, on: prompt, action: warn }
knowledge: { handbook: { files: handbook.md }, library: { files: library/*.md, top: 1 } }
motifs:
  steady:
    provider: up
    model: m
    policies: [p0, p1, p2, p3, p4, p5, p6, p7, words, pii, secrets, injection]
    knowledge: [handbook, library]
  rough: { provider: up, model: m, policies: [words], limits: { in_flight: 64 } }
${motifs.join('')}`;
}

/** The same file with another version of each Motif that is not asked. */
export function withVersion(file, version) {
  return file.replace(/in version \d+\./g, `in version ${version}.`);
}
