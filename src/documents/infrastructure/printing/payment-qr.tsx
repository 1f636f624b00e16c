import { encode } from 'uqr';
import type { PaymentCode } from '../../domain/printing/payment-codes.js';

/** The side of a Swiss code, and of the cross in its middle, in millimetres. */
const SWISS_MM = 46;
const CROSS_MM = 7;
/** Modules of white that a camera needs around it. */
const QUIET = 4;

interface QrProps {
  code: PaymentCode;
  label: string;
  /** Modules of white around it: none where the paper is white. */
  quiet?: number;
}

/** A code for banking apps, black on white also where the page is dark. */
export function PaymentQr({ code, label, quiet = QUIET }: QrProps) {
  const { data, size } = encode(code.payload, {
    ecc: 'M',
    boostEcc: false,
    border: 0,
    maxVersion: code.standard === 'epc' ? 13 : 25,
  });
  const rows = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  );
  const side = size + 2 * quiet;
  return (
    <svg
      class="qr"
      role="img"
      aria-label={label}
      viewBox={`${-quiet} ${-quiet} ${side} ${side}`}
      shape-rendering="crispEdges"
    >
      <rect x={-quiet} y={-quiet} width={side} height={side} fill="#fff" />
      <path d={rows.join('')} fill="#000" />
      {code.standard === 'swiss' && <SwissCross size={size} />}
    </svg>
  );
}

function SwissCross({ size }: { size: number }) {
  const side = (size * CROSS_MM) / SWISS_MM;
  const at = (size - side) / 2;
  const [arm, bar] = [side * 0.6, side * 0.18];
  const middle = at + side / 2;
  return (
    <>
      <rect
        x={at}
        y={at}
        width={side}
        height={side}
        fill="#000"
        stroke="#fff"
        stroke-width={side / 14}
      />
      <rect x={middle - arm / 2} y={middle - bar / 2} width={arm} height={bar} fill="#fff" />
      <rect x={middle - bar / 2} y={middle - arm / 2} width={bar} height={arm} fill="#fff" />
    </>
  );
}
