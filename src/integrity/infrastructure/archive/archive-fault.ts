/** An archive does not prove what it says: one sentence, which names the seal and the table. */
export class ArchiveFault extends Error {}

/** Its file cannot be read to its end: the place is where the reading has come to. */
export class FileFault extends ArchiveFault {}
