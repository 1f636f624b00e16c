import { posix } from 'node:path';
import ts from 'typescript';
import { everyNode, type SourceFile } from './source.js';

const WRITTEN_BY_A_COMMAND = new Set(['src/platform/database/tables.ts']);
const LARGEST_LINE_COUNT = 350;
/** A class that works with more than these is two classes. */
const MOST_COLLABORATORS = 8;
/** A folder with more files than these has rooms in it that have no name. */
const MOST_FILES = 30;

const linesOf = ({ text }: SourceFile) => text.split('\n').length - 1;

/** How many others each class works with. */
function collaboratorsIn({ tree }: SourceFile): [name: string, count: number][] {
  const counts: [string, number][] = [];
  everyNode(tree, (node) => {
    if (!ts.isConstructorDeclaration(node)) return;
    counts.push([node.parent.name?.text ?? 'a class', node.parameters.length]);
  });
  return counts;
}

/** Classes that are given too much to work with, and a file that is too long. */
export function tooLarge(file: SourceFile): string[] {
  const wrong = collaboratorsIn(file)
    .filter(([, count]) => count > MOST_COLLABORATORS)
    .map(([name, count]) => `${name} has ${count} collaborators`);
  const lines = linesOf(file);
  if (lines > LARGEST_LINE_COUNT && !WRITTEN_BY_A_COMMAND.has(file.path))
    wrong.push(`has ${lines} lines`);
  return wrong;
}

/** How many files are directly in each folder. */
function filesIn(paths: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const path of paths) {
    const folder = posix.dirname(path);
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return counts;
}

/** Folders with too many files directly in them. */
export const crowdedFolders = (paths: readonly string[]) =>
  [...filesIn(paths)]
    .filter(([, count]) => count > MOST_FILES)
    .map(([folder, count]) => `${folder} has ${count} files`);

/** A limit is no target: the names of all that has no room left. */
export function atBounds(files: readonly SourceFile[]): string {
  const classes = files
    .flatMap(collaboratorsIn)
    .filter(([, count]) => count === MOST_COLLABORATORS);
  const folders = [...filesIn(files.map(({ path }) => path))].filter(
    ([, count]) => count === MOST_FILES,
  );
  const long = files.filter((file) => linesOf(file) === LARGEST_LINE_COUNT);
  return [
    `${classes.length} classes with ${MOST_COLLABORATORS} collaborators: ${namesOf(classes)}`,
    `${folders.length} folders with ${MOST_FILES} files: ${namesOf(folders)}`,
    `${long.length} files of ${LARGEST_LINE_COUNT} lines: ${long.map(({ path }) => path).join(', ')}`,
  ].join('\n');
}

const namesOf = (counts: readonly [string, number][]) => counts.map(([name]) => name).join(', ');
