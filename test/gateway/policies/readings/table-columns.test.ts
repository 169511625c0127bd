import { expect, test } from 'vitest';
import { createColumns } from '../../../../src/gateway/policies/readings/tables/table-columns.ts';

const rows =
  '<tr><th>name</th><th>passport</th></tr>\n<tr><td>Ana</td><td>C4</td></tr>\n<tr><td>Bo</td><td>K9</td></tr>';

test.each([
  { name: 'a table behind words', text: `See below: <table>${rows}</table>` },
  { name: 'a table at the start of a text', text: `<table>${rows}</table>` },
  { name: 'rows without a table', text: rows },
  {
    name: 'a row of SQL at the start of a text',
    text: "INSERT INTO t (name, passport) VALUES ('Ana', 'C4'), ('Bo', 'K9')",
  },
])('a cell of $name stands below its head', ({ text }) => {
  const headOver = createColumns(text);
  const heads = ['C4', 'K9'].map((cell) =>
    headOver(text.indexOf(cell)).map(({ start, end }) => text.slice(start, end).includes('passport')),
  );
  expect(heads.every((found) => found.includes(true))).toBe(true);
});
