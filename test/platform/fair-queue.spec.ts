import { describe, expect, it } from 'vitest';
import { FairQueue } from '../../src/platform/fair-queue.js';

class Refused extends Error {}

const aQueue = (limits: { places: number; waiting: number; each?: number; waitMs?: number }) =>
  new FairQueue({ ...limits, refusal: () => new Refused() });

/** Enters for each letter, which is its owner, and writes down who came in. */
function entering(queue: FairQueue, owners: string) {
  const inside: string[] = [];
  const refused: string[] = [];
  for (const owner of owners) {
    const turn = queue.enter(owner);
    if (!turn) inside.push(owner);
    else
      void turn.then(
        () => inside.push(owner),
        (error) => error instanceof Refused && refused.push(owner),
      );
  }
  const settled = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    return { inside: inside.join(''), refused: refused.join('') };
  };
  const leave = async (owner: string) => {
    queue.leave(owner);
    return (await settled()).inside;
  };
  return { settled, leave };
}

describe('places', () => {
  it('are all of one owner while nobody else wants any', async () => {
    const { settled } = entering(aQueue({ places: 3, waiting: 9 }), 'aaaaa');
    expect(await settled()).toEqual({ inside: 'aaa', refused: '' });
  });

  it('go to who has the fewest, in turns among equals', async () => {
    const { leave } = entering(aQueue({ places: 2, waiting: 20 }), 'aaaaaabbbcc');
    expect(await leave('a')).toBe('aab');
    expect(await leave('a')).toBe('aaba');
    expect(await leave('b')).toBe('aabac');
    expect(await leave('c')).toBe('aabacb');
    expect(await leave('a')).toBe('aabacba');
  });

  it('are not above what one owner may have', async () => {
    const { settled, leave } = entering(aQueue({ places: 4, waiting: 9, each: 2 }), 'aaaab');
    expect((await settled()).inside).toBe('aab');
    expect(await leave('b')).toBe('aab');
    expect(await leave('a')).toBe('aaba');
  });
});

describe('who may wait', () => {
  it('are so many, and the newest of the longest line makes room for another', async () => {
    const { settled, leave } = entering(aQueue({ places: 1, waiting: 4 }), 'aaaaaabcb');
    // Four of a wait, and its sixth is refused. b and c each push one out; the second b would not be fewer.
    expect([...(await settled()).refused].sort().join('')).toBe('aaab');
    expect(await leave('a')).toBe('aa');
    expect(await leave('a')).toBe('aab');
  });

  it('are refused at once where nobody may', async () => {
    const { settled } = entering(aQueue({ places: 1, waiting: 0 }), 'ab');
    expect(await settled()).toEqual({ inside: 'a', refused: 'b' });
  });

  it('wait for so long', async () => {
    const queue = aQueue({ places: 1, waiting: 9, waitMs: 1 });
    expect(queue.enter('a')).toBeUndefined();
    await expect(queue.enter('b')).rejects.toThrow(Refused);
    queue.leave('a');
    expect(queue.enter('b')).toBeUndefined();
  });

  it('are all sent away', async () => {
    const queue = aQueue({ places: 1, waiting: 9 });
    const { settled } = entering(queue, 'aabbc');
    queue.refuseAll();
    expect(await settled()).toEqual({ inside: 'a', refused: 'abbc' });
    expect(queue.waitingCount).toBe(0);
  });
});
