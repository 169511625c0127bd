/** Names alone, for `motif --help`, which reads no topic. */
export const topicNames = ['exit-codes', 'environment', 'messages', 'json', 'files'] as const;

export type TopicName = (typeof topicNames)[number];
