/**
 * The demo: a gateway file and the handbook that its Motif quotes, as texts in the program, so that `--demo`, `motif
 * demo` and a `motif serve` without a file need nothing on disk.
 */
export const demoFile = `# The demo gateway of motif: no model is asked, a mock quotes the handbook.
tenant: demo
providers:
  handbook-quotes: { kind: mock, mode: quote }
policies:
  no-pii:       { kind: pii, entities: [email, card, iban, phone, us_ssn] }
  no-secrets:   { kind: secrets, action: redact }
  no-injection: { kind: injection, on: prompt }
knowledge:
  handbook: { files: handbook.md, top: 2 }
motifs:
  support-bot:
    name: Support bot
    provider: handbook-quotes
    system: You answer for a shop that sells kettles, from its handbook.
    policies: [no-pii, no-secrets, no-injection]
    knowledge: [handbook]
`;

export const demoHandbook = `# Returns

Kettles can be returned within 30 days with the receipt. Opened descalers cannot be returned.

# Opening hours

The shop is open Monday to Friday from 9 to 18, on Saturday from 10 to 16.

# Warranty

Every kettle has a warranty of two years from the day of purchase. Limescale is not covered.

# Shipping

Orders are shipped within two working days. Shipping is free from 40 euros.

# Descaling

Descale a kettle once a month with citric acid, and rinse it twice.
`;
