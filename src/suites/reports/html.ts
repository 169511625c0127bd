import { barChart, htmlPage, htmlTable } from '../../reports/html-page.ts';
import { type Markup, markup } from '../../reports/markup.ts';
import { formatDuration } from '../../text/durations.ts';
import type { CaseResult, CheckReport, MatrixRow } from '../result.ts';
import { timesOf } from '../summary.ts';
import {
  latencyText,
  reasonOf,
  type RenderReport,
  casesToAdd,
  casesToAddHead,
  untestedHead,
  unverifiedThereText,
} from './report.ts';
import { grouped } from '../../text/sizes.ts';

const words = { pass: 'pass', regressed: 'FAIL', unverified: '????', known: 'known', skipped: 'skipped' } as const;
const colours = { pass: 'good', regressed: 'bad', unverified: 'warn', known: 'warn', skipped: 'dim' } as const;

/** One page that needs nothing else, to be kept as the artifact of a job. */
export const html: RenderReport = (report) => {
  const title = `motif check: ${report.summary}`;
  return htmlPage({ title, body: bodyOf(report), styles, script });
};

function bodyOf(report: CheckReport): Markup {
  const { exit_code: code, warnings, started_at: startedAt, motif_id: motifId, profile } = report;
  const verdict = code === 0 ? 'good' : code === 11 ? 'warn' : 'bad';
  const facts = [
    motifId === null ? [] : `Motif ${motifId}`,
    profile === null ? [] : `profile ${profile}`,
    startedAt,
  ].flat();
  return markup`<header><h1 class="${verdict}">${report.summary}</h1><p class="dim">${facts.join(' · ')}</p></header>
${warnings.map((warning) => markup`<p class="warn">${warning}</p>`)}
<main><section><h2>Expected and seen</h2>${matrixTable(report)}</section>
${latencySection(report)}${guardSection(report)}${differenceSection(report)}
<section><h2>Cases</h2>${filterBar()}<p id="count" class="dim" role="status"></p><div id="cases">${casesInOrder(report).map(caseMarkup)}</div></section></main>`;
}

function matrixTable({ matrix }: CheckReport): Markup {
  const named = { 'must block': matrix.must_block, 'must answer': matrix.must_answer };
  const row = ([name, each]: [string, MatrixRow]) => [name, each.blocked, each.answered, each.unverified];
  const rows = Object.entries(named).map(row);
  const wrong = Object.entries(named).filter(([, each]) => each.wrong.length > 0);
  const lists = wrong.map(
    ([name, each]) => markup`<p>${name}, and came out otherwise: ${each.wrong.slice(0, 50).join(', ')}</p>`,
  );
  return markup`${htmlTable({ head: ['', 'blocked', 'answered', 'unverified'], rows })}${lists}`;
}

/** Steps of a scale on which a tenth of a second and a minute both have their place. */
const stepsMs = [10, 30, 100, 300, 1000, 3000, 10_000, 30_000, 100_000, Infinity];

function latencySection(report: CheckReport): Markup {
  const text = latencyText(report);
  if (text === undefined) return markup``;
  const times = timesOf(report.cases);
  const bars = stepsMs.map((step, index) => {
    const above = stepsMs[index - 1] ?? -1;
    const label = step === Infinity ? 'more' : `to ${formatDuration(step)}`;
    return { label, amount: times.filter((ms) => ms <= step && ms > above).length };
  });
  const first = bars.findIndex(({ amount }) => amount > 0);
  const last = bars.findLastIndex(({ amount }) => amount > 0);
  return markup`<section><h2>Time to the answer</h2><p>${text} · ${grouped(report.usage.total_tokens)} tokens</p>${barChart(bars.slice(first, last + 1))}</section>`;
}

function guardSection(report: CheckReport): Markup {
  const { guards } = report;
  if (guards === null) return markup``;
  const rows = guards.map(({ policy, action, state, off, weakened, also, untested }) => [
    policy,
    action,
    state,
    off ?? '',
    weakened ?? '',
    [...untested, ...also.map((name) => `also caught by ${name}`)].join(', '),
  ]);
  const head = ['policy', 'action', 'state', 'cases that notice its absence', 'its weakening', untestedHead];
  const missing = casesToAdd(report);
  const added = missing === '' ? undefined : markup`<p>${casesToAddHead}</p><pre>${missing}</pre>`;
  return markup`<section><h2>Proof</h2>${htmlTable({ head, rows })}${added}</section>`;
}

function differenceSection({ against, baseline }: CheckReport): Markup {
  const since =
    baseline === null
      ? markup``
      : markup`<section><h2>Since ${baseline.file}</h2><p>${baseline.new.length} new: ${baseline.new.join(', ')}</p><p>${baseline.fixed.length} fixed: ${baseline.fixed.join(', ')}</p><p>${baseline.standing.length} still fail: ${baseline.standing.join(', ')}</p></section>`;
  if (against === null) return since;
  const rows = against.differences.map(({ id, file, line, what, here, there }) => [
    id,
    `${file}:${line}`,
    what,
    here,
    there,
  ]);
  const unverified = unverifiedThereText(against, (text) => text);
  const table = htmlTable({ head: ['case', 'where', 'differs', 'here', against.name], rows });
  return markup`${since}<section><h2>Against ${against.name}</h2>${unverified === '' ? undefined : markup`<p class="warn">${unverified}</p>`}${table}</section>`;
}

function casesInOrder({ cases }: CheckReport): readonly CaseResult[] {
  const order = ['regressed', 'unverified', 'known', 'skipped', 'pass'];
  return cases.toSorted((one, other) => order.indexOf(one.verdict) - order.indexOf(other.verdict));
}

function filterBar(): Markup {
  const option = (value: string) => markup`<option value="${value}">${value}</option>`;
  const values = ['all', 'regressed', 'unverified', 'known', 'skipped', 'flaky', 'pass'];
  return markup`<form id="filter"><label>Show <select id="verdict">${values.map(option)}</select></label>
<label>Find <input id="find" type="search" placeholder="id, file, tag" autocomplete="off"></label></form>`;
}

function caseMarkup(each: CaseResult): Markup {
  const { id, file, line, tags, verdict, flaky, elapsed_ms: ms, prompt_id: promptId } = each;
  const find = [id, file, ...tags].join(' ').toLowerCase();
  const time = ms === null ? '' : ` · ${formatDuration(ms)}`;
  const isOpen = verdict === 'regressed' || verdict === 'unverified' ? markup` open` : markup``;
  const reason = reasonOf(each);
  return markup`<details data-verdict="${verdict}" data-flaky="${flaky ? 'yes' : 'no'}" data-find="${find}"${isOpen}>
<summary><b class="${colours[verdict]}">${words[verdict]}</b> <span class="id">${id}</span> <span class="dim">${file}:${line}${time}${flaky ? ' · flaky' : ''}</span></summary>
${reason === '' ? undefined : markup`<p>${reason}</p>`}${promptId === null ? undefined : markup`<p class="dim">prompt_id ${promptId}</p>`}${tags.length === 0 ? undefined : markup`<p class="dim">tags ${tags.join(', ')}</p>`}
${textsOf(each)}</details>
`;
}

function textsOf({ messages, answer, misses, replayed }: CaseResult): Markup {
  const diff = misses.flatMap((miss) => miss.diff ?? []);
  const asked = (messages ?? []).map(({ role, content }) => markup`<p class="dim">${role}</p><pre>${content}</pre>`);
  const title = replayed ? 'stored answer' : 'answer';
  return markup`${asked}${answer === null ? undefined : markup`<p class="dim">${title}</p><pre>${answer}</pre>`}${
    diff.length === 0 ? undefined : markup`<p class="dim">difference</p><pre>${diff.join('\n')}</pre>`
  }`;
}

const styles = `
details { border-bottom: 1px solid var(--line); padding: .35rem 0 } details p { margin: .3rem 0 }
summary { cursor: pointer } .id { font-weight: 600 }
#filter { display: flex; flex-wrap: wrap; gap: .6rem 1.2rem } #filter label { display: flex; gap: .4rem; align-items: center }
select, input { font: inherit; padding: .2rem .4rem; max-width: 100%; color: inherit; background: var(--bg);
  border: 1px solid var(--line); border-radius: .3rem }
`;

/** Hides what the filters leave out; `/` goes to the search. Without it the page shows everything. */
const script = `
const verdict = document.getElementById('verdict');
const find = document.getElementById('find');
const cases = [...document.querySelectorAll('#cases details')];
const count = document.getElementById('count');
function filter() {
  const words = find.value.toLowerCase().split(/\\s+/).filter(Boolean);
  let shown = 0;
  for (const each of cases) {
    const { verdict: own, flaky, find: text } = each.dataset;
    const isMeant = verdict.value === 'all' || own === verdict.value || (verdict.value === 'flaky' && flaky === 'yes');
    each.hidden = !isMeant || !words.every((word) => text.includes(word));
    if (!each.hidden) shown += 1;
  }
  count.textContent = shown + ' of ' + cases.length + ' cases';
}
verdict.addEventListener('input', filter);
find.addEventListener('input', filter);
document.getElementById('filter').addEventListener('submit', (event) => event.preventDefault());
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || document.activeElement === find) return;
  event.preventDefault();
  find.focus();
});
filter();
`;
