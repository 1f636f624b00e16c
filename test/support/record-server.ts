import { createSocket } from 'node:dgram';
import { once } from 'node:events';

const TYPES = { A: 1, PTR: 12, MX: 15, TXT: 16 } as const;
const QUESTION_AT = 12;
const NO_SUCH_NAME = 3;
const SERVER_FAILED = 2;

/** MX as `10 mail.example`, PTR as a name, A as an address; TXT in parts of 255. */
export type Records = Record<string, Partial<Record<keyof typeof TYPES, string[]>> | 'fails'>;

/** A name server of this machine, by RFC 1035. Names that it lacks do not exist. */
export async function aRecordServer(records: Records) {
  const socket = createSocket('udp4');
  socket.on('message', (question, from) => {
    const { name, type, end } = questionIn(question);
    const known = records[name];
    const kind = Object.entries(TYPES).find(([, number]) => number === type)?.[0];
    const values = (known !== 'fails' && known?.[kind as keyof typeof TYPES]) || [];
    const head = Buffer.from(question.subarray(0, QUESTION_AT));
    const code = known === 'fails' ? SERVER_FAILED : known ? 0 : NO_SUCH_NAME;
    head.writeUInt16BE(0x8180 | code, 2);
    head.writeUInt16BE(values.length, 6);
    head.writeUInt32BE(0, 8);
    const answers = values.map((value) => recordOf(kind as keyof typeof TYPES, value));
    const answer = [head, question.subarray(QUESTION_AT, end), ...answers];
    socket.send(Buffer.concat(answer), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return { at: `127.0.0.1:${socket.address().port}`, close: () => socket.close() };
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

function recordOf(kind: keyof typeof TYPES, value: string): Buffer {
  const data = DATA[kind](value);
  const head = Buffer.from([0xc0, QUESTION_AT, 0, TYPES[kind], 0, 1, 0, 0, 0, 0, 0, 0]);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

const DATA: Record<keyof typeof TYPES, (value: string) => Buffer> = {
  A: (address) => Buffer.from(address.split('.').map(Number)),
  PTR: nameIn,
  MX: (value) => {
    const [priority = '', host = ''] = value.split(' ');
    return Buffer.concat([Buffer.from([0, Number(priority)]), nameIn(host)]);
  },
  TXT: (text) => Buffer.concat((text.match(/.{1,255}/g) ?? []).map((part) => labelOf(part))),
};

function nameIn(name: string): Buffer {
  return Buffer.concat([...name.split('.').map(labelOf), Buffer.from([0])]);
}

function labelOf(text: string): Buffer {
  return Buffer.concat([Buffer.from([text.length]), Buffer.from(text, 'latin1')]);
}
