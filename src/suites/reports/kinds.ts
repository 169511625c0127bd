/** The names of all forms of a report; a blob is the JSON document, in a file that merge reads. */
export const reportKinds = ['human', 'brief', 'json', 'junit', 'ctrf', 'markdown', 'html', 'github', 'blob'] as const;

export type ReportKind = (typeof reportKinds)[number];
