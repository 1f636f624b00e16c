/** The last of many things, oldest first: a process remembers some thousand, and no more. */
export class LastNoted<Thing> {
  private things: Thing[] = [];

  constructor(private readonly most: number) {}

  note(thing: Thing): void {
    this.things.push(thing);
    // Seldom, since it copies them.
    if (this.things.length > 2 * this.most) this.things = this.last();
  }

  get newest(): Thing | undefined {
    return this.things.at(-1);
  }

  last(): Thing[] {
    return this.things.slice(-this.most);
  }

  forget(isGone: (thing: Thing) => boolean): void {
    this.things = this.things.filter((thing) => !isGone(thing));
  }
}
