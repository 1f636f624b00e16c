/** Is told how far long work has come. The work is the same without one, and adds up nothing for it. */
export type Progress = (done: number, total: number) => void;
