import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv4 } from 'node:net';

const QUESTION_AT = 12;
const A = 1;
const AAAA = 28;

/** A name server of this machine, of which each question gets what `answers` gives; none: silence. */
export async function aNameServer(answers: (name: string) => readonly string[] | undefined) {
  const socket = createSocket('udp4');
  const asked: string[] = [];
  socket.on('message', (question, from) => {
    const { name, type, end } = questionIn(question);
    asked.push(name);
    const given = answers(name);
    if (!given) return;
    const fitting = given.filter((address) => (isIPv4(address) ? A : AAAA) === type);
    const head = Buffer.from(question.subarray(0, QUESTION_AT));
    // A response, recursion there, so many answers, and nothing else.
    head.writeUInt16BE(0x8180, 2);
    head.writeUInt16BE(fitting.length, 6);
    head.writeUInt32BE(0, 8);
    const records = fitting.map((address) => recordOf(type, address));
    socket.send(
      Buffer.concat([head, question.subarray(QUESTION_AT, end), ...records]),
      from.port,
      from.address,
    );
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return { at: `127.0.0.1:${socket.address().port}`, asked, close: () => socket.close() };
}

function questionIn(message: Buffer) {
  const labels: string[] = [];
  let at = QUESTION_AT;
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: message.readUInt16BE(at + 1), end: at + 5 };
}

/** Of the name that was asked for, for no time at all. */
function recordOf(type: number, address: string): Buffer {
  const data = type === A ? Buffer.from(address.split('.').map(Number)) : groupsOf(address);
  const head = Buffer.from([0xc0, QUESTION_AT, 0, type, 0, 1, 0, 0, 0, 0, 0, data.length]);
  return Buffer.concat([head, data]);
}

/** Of an IPv6 address that has `::` at its end, or before its last group. */
function groupsOf(address: string): Buffer {
  const [head = '', tail = ''] = address.split('::');
  const [first, last] = [head, tail].map((part) => part.split(':').filter(Boolean));
  const zeros = Array<string>(8 - (first?.length ?? 0) - (last?.length ?? 0)).fill('0');
  const groups = [...(first ?? []), ...zeros, ...(last ?? [])];
  return Buffer.from(
    groups.flatMap((group) => [parseInt(group, 16) >> 8, parseInt(group, 16) & 255]),
  );
}
