import type { ComponentChildren } from 'preact';
import { LINES_PER_TABLE, tablesOf } from '../../domain/printing/tables.js';
import type { PrintedDocument } from '../../domain/printing/printed-document.js';

interface LinesProps {
  paper: PrintedDocument;
  /** On paper: what must not be parted from the last line. */
  closing?: ComponentChildren;
  /**
   * On paper: the indexes of lines that end a sheet, for sums that are carried over. Or only room
   * for those on each sheet, to find out where sheets end.
   */
  carry?: readonly number[] | 'room';
}

/** Longer than any heading of ours: an account's own may have 60 letters. */
const LONG_HEADING = 20;

/** All lines: in one table, or in several one below the other. */
export function Lines({ paper, closing, carry }: LinesProps) {
  const tables = Array.from({ length: tablesOf(paper.lines.length) }, (_, at) =>
    paper.lines.slice(at * LINES_PER_TABLE, (at + 1) * LINES_PER_TABLE),
  );
  return (
    <>
      {tables.map((lines, at) => (
        <Table
          key={at}
          paper={{ ...paper, lines }}
          carry={carry}
          closing={at === tables.length - 1 ? closing : undefined}
        />
      ))}
    </>
  );
}

function Table({ paper: { columns, lines, texts }, closing, carry = [] }: LinesProps) {
  const { position, description, quantity, unitPrice, tax, amount } = columns;
  const figures = [quantity, unitPrice, tax, amount].filter((name) => name !== null);
  const width = figures.length + (position === null ? 1 : 2);
  const lastOnSheets = new Set(carry === 'room' ? [] : carry);
  const rows = lines.map((line) => (
    <>
      <Line key={line.position} line={line} columns={columns} />
      {lastOnSheets.has(line.position - 1) && (
        <>
          <CarriedSum width={width} name={texts.carriedOver} sum={line.sumSoFar} />
          <CarriedSum width={width} name={texts.broughtForward} sum={line.sumSoFar} isFirst />
        </>
      )}
    </>
  ));
  return (
    <table class="lines">
      <thead>
        <tr>
          {position !== null && (
            <th scope="col" class="position">
              {position}
            </th>
          )}
          <th scope="col">{description}</th>
          {figures.map((name) => (
            <th
              key={name}
              scope="col"
              class={name.length > LONG_HEADING ? 'figure long' : 'figure'}
            >
              {name}
            </th>
          ))}
        </tr>
        {carry === 'room' && <RoomForSum width={width} />}
      </thead>
      {carry === 'room' && (
        <tfoot>
          <RoomForSum width={width} />
        </tfoot>
      )}
      {closing ? (
        <>
          <tbody>{rows.slice(0, -1)}</tbody>
          <tbody class="closing">
            {rows.slice(-1)}
            <tr>
              <td colspan={width}>{closing}</td>
            </tr>
          </tbody>
        </>
      ) : (
        <tbody>{rows}</tbody>
      )}
    </table>
  );
}

function CarriedSum({ width, name, sum, isFirst = false }: CarriedSumProps) {
  return (
    <tr class={isFirst ? 'carry first' : 'carry'}>
      <td colspan={width - 1}>{name}</td>
      <td class="figure">
        <bdi>{sum}</bdi>
      </td>
    </tr>
  );
}

interface CarriedSumProps {
  /** Of the table, in columns. */
  width: number;
  name: string;
  sum: string;
  /** Whether it begins a sheet. */
  isFirst?: boolean;
}

function RoomForSum({ width }: { width: number }) {
  return (
    <tr class="carry" aria-hidden="true">
      <td colspan={width}>&nbsp;</td>
    </tr>
  );
}

interface LineProps extends Pick<PrintedDocument, 'columns'> {
  line: PrintedDocument['lines'][number];
}

function Line({ line, columns: { position, quantity, unitPrice, tax, amount } }: LineProps) {
  return (
    <tr>
      {position !== null && <td class="position">{line.position}</td>}
      <td class="description">
        <span class="pre">
          <bdi>{line.description}</bdi>
        </span>
        {line.texts.map((text, index) => (
          <span key={index} class="adjustment pre">
            <bdi>{text}</bdi>
          </span>
        ))}
        {line.details.map(({ name, value }) => (
          <span key={name + value} class="adjustment">
            {name}: <bdi>{value}</bdi>
          </span>
        ))}
        {line.adjustments.map((adjustment, index) => (
          <span key={index} class="adjustment">
            {adjustment.name}
            {adjustment.reason && <Reason text={adjustment.reason} />}:{' '}
            <bdi>{adjustment.amount}</bdi>
          </span>
        ))}
      </td>
      <Figure label={quantity} value={line.quantity} />
      <Figure label={unitPrice} value={line.unitPrice} />
      <Figure label={tax} value={line.tax} />
      <Figure label={amount} value={line.amount} />
    </tr>
  );
}

/** On a narrow screen the label stands before the value, in place of the table's header. */
function Figure({ label, value }: { label: string | null; value: string }) {
  if (label === null) return null;
  return (
    <td class="figure" data-label={label}>
      <bdi>{value}</bdi>
    </td>
  );
}

/** Of a discount or charge, behind its name. */
export function Reason({ text }: { text: string }) {
  return (
    <>
      {' '}
      ·&nbsp;<bdi>{text}</bdi>
    </>
  );
}
