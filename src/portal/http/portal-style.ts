/** One inline style sheet, light and dark, from a phone to a wide screen; nothing to fetch. */
export const PORTAL_STYLE = `
:root { color-scheme: light dark; --ink: #1c2733; --soft: #566370; --line: #d9dfe4;
  --page: #f3f5f7; --sheet: #fff; --accent: #1b5fc1; --on-accent: #fff;
  --good: #1a6b3c; --warn: #8a5200; --bad: #a3261f; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8ecf0; --soft: #a3afba; --line: #36414c; --page: #12181e; --sheet: #1b232b;
    --accent: #8ab8ff; --on-accent: #0d1720; --good: #74d19c; --warn: #f0b95c; --bad: #ff9b93; } }
* { box-sizing: border-box; margin: 0; }
body { font: 16px/1.55 system-ui, 'Noto Sans', sans-serif; color: var(--ink);
  background: var(--page); overflow-wrap: anywhere; }
main { max-width: 56rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
main > * + * { margin-top: 1rem; }
.sheet { background: var(--sheet); border: 1px solid var(--line); border-radius: .75rem;
  padding: clamp(1rem, 4vw, 2rem); }
header { display: flex; flex-wrap: wrap; gap: 1rem 2rem; justify-content: space-between; }
h1 { font-size: 1.6rem; line-height: 1.2; }
h2 { font-size: 1.05rem; margin-bottom: .75rem; }
.party h2 { margin: 0; font-size: .875rem; font-weight: 600; color: var(--soft); }
.party + .party { margin-top: 1rem; }
.logo { display: block; max-width: 55mm; max-height: 20mm; margin-bottom: 1rem; object-fit: contain; }
@media (prefers-color-scheme: dark) {
  .logo { padding: .5rem; border-radius: .5rem; background: #fff; } }
ul { padding-inline-start: 1.2rem; }
.soft { color: var(--soft); } li a { color: var(--accent); }
.state { display: inline-block; margin-top: .6rem; padding: .15rem .7rem; border-radius: 1rem;
  border: 1px solid currentColor; font-size: .875rem; font-weight: 600; color: var(--accent); }
.state.good { color: var(--good); } .state.warn { color: var(--warn); }
.state.bad { color: var(--bad); }
.due { font-size: clamp(1.3rem, 6vw, 1.9rem); font-weight: 700; line-height: 1.2; }
.sums { text-align: end; }
.sums > p + p { margin-top: .15rem; }
.actions { display: flex; flex-wrap: wrap; gap: .75rem; margin-top: 1.5rem; }
.button { display: inline-block; font: inherit; font-weight: 600; padding: .65rem 1.2rem;
  border-radius: .5rem; border: 1px solid var(--accent); color: var(--accent);
  background: transparent; text-decoration: none; cursor: pointer; }
.button.primary { background: var(--accent); color: var(--on-accent); }
.button.danger { border-color: var(--bad); color: var(--bad); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.notice { border-inline-start: .3rem solid var(--accent); }
.parties { display: grid; grid-template-columns: repeat(auto-fit, minmax(14rem, 1fr));
  gap: 1.5rem 2rem; }
address { font-style: normal; } address > * { display: block; }
dl > div + div { margin-top: .5rem; }
dt { font-size: .875rem; } dd { font-weight: 600; }
table { width: 100%; border-collapse: collapse; }
th { text-align: start; font-weight: 600; }
.lines thead th { font-size: .8125rem; color: var(--soft); border-bottom: 2px solid var(--line);
  white-space: nowrap; }
.lines th, .lines td { padding-block: .6rem; padding-inline: 1rem 0; vertical-align: top; }
.lines th:first-child, .lines td:first-child { padding-inline-start: 0; }
.lines .position { width: 2rem; color: var(--soft); }
.lines tbody tr { border-bottom: 1px solid var(--line); }
.pre { display: block; white-space: pre-wrap; }
.adjustment, small { font-size: .875rem; color: var(--soft); }
.known { display: block; }
.actions .notice { flex-basis: 100%; padding-inline-start: .75rem; }
.adjustment { display: block; font-weight: 400; }
.figure { text-align: end; font-variant-numeric: tabular-nums; white-space: nowrap; }
.totals { max-width: 26rem; margin-block: 1rem 0; margin-inline: auto 0; }
.totals th { font-weight: 400; } .totals th, .totals td { padding: .25rem 0; }
.totals tbody + tbody tr:first-child > * { padding-top: .75rem; }
.included { font-size: .9375rem; } .included [scope=rowgroup] { font-weight: 600; }
.totals td { padding-inline-start: 1rem; vertical-align: top; }
.payment > div { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(17rem, 100%), 1fr));
  gap: 1rem 2rem; }
.payment dd bdi { user-select: all; }
.payment dd { display: flex; flex-wrap: wrap; gap: .2rem .6rem; align-items: center; }
.copy { padding: .2rem .6rem; min-height: 1.75rem; font: inherit;
  font-size: .8125rem; color: var(--accent); background: none; border: 1px solid var(--line);
  border-radius: .4rem; cursor: pointer; }
.said { min-height: 1.5rem; font-size: .875rem; color: var(--good); }
.block { margin-bottom: 1.25rem; } .footer { font-size: .875rem; text-align: center; white-space: pre-line; }
.scan { display: flex; flex-direction: column; gap: .5rem; align-items: flex-start; }
.payment .qr { width: 10rem; height: 10rem; border-radius: .5rem; }
.scan p { font-size: .875rem; color: var(--soft); }
.totals .strong > * { font-weight: 700; border-top: 1px solid var(--line); }
summary { cursor: pointer; font-weight: 600; }
.sheet > summary { color: var(--bad); }
.languages { max-width: 56rem; margin: -3rem auto 0; padding: 0 1rem 2rem; font-size: .875rem; }
.languages ul { display: grid; grid-template-columns: repeat(auto-fill, minmax(9rem, 1fr));
  gap: 0 1rem; padding: .5rem 0 0; list-style: none; }
.languages a { display: block; padding: .5rem 0; color: var(--accent); }
.languages summary { padding: .5rem 0; color: var(--soft); }
form, .sheet > .answer { margin-top: 1rem; } label { display: block; font-weight: 600; }
textarea { display: block; width: 100%; min-height: 7rem; margin: .4rem 0 1rem; padding: .6rem;
  font: inherit; color: inherit; background: var(--page); border: 1px solid var(--soft);
  border-radius: .5rem; }
.answer label { display: block; font-weight: 600; margin-top: 1rem; }
.answer .tick { display: flex; gap: .6rem; align-items: flex-start; font-weight: 400; }
.answer .tick input { width: 1.25rem; height: 1.25rem; margin: .15rem 0 0; flex: none; }
.answer .button { margin-top: 1rem; }
input[type=text] { display: block; width: 100%; max-width: 26rem; padding: .6rem; font: inherit;
  color: inherit; background: var(--page); border: 1px solid var(--soft); border-radius: .5rem;
  margin-top: .4rem; }
[aria-invalid] { border-color: var(--bad); outline-color: var(--bad); }
.wrong { color: var(--bad); font-weight: 600; margin-top: .3rem; }
.actions form { margin: 0; }
.receipt .totals { max-width: 26rem; } .receipt .parties { margin: 1.5rem 0; }
.fold > summary { padding: .5rem 0; color: var(--accent); }
.payments td { padding: .35rem 0; overflow-wrap: normal; } .payments td + td { padding-inline-start: 1rem; }
.timeline { padding: 0; list-style: none; }
.timeline li { padding: .25rem 0; padding-inline-start: 1rem;
  border-inline-start: 2px solid var(--line); }
@media (min-width: 58rem) {
  .payment > div { grid-template-columns: none; grid-auto-flow: column; }
}
@media (max-width: 40rem) {
  .sums { text-align: start; }
  .lines thead { position: absolute; width: 1px; height: 1px; overflow: hidden;
    clip-path: inset(50%); }
  .lines tr { display: grid; grid-template-columns: 1fr auto; padding: .6rem 0; }
  .lines td { padding: .1rem 0; }
  .lines .position, .lines .description { grid-column: 1 / -1; width: auto; }
  .lines .position::before { content: '#'; }
  .lines .description { font-weight: 600; }
  .lines td[data-label] { display: contents; }
  .lines td[data-label]::before { content: attr(data-label); color: var(--soft); text-align: start; }
}
@media print {
  .copy, .said { display: none; } body { background: none; } .actions, .languages, .answer { display: none; }
  .fold > summary { display: none; } .fold::details-content { content-visibility: visible; }
  h2 { break-after: avoid; } tr, .party { break-inside: avoid; } }
`;
