/** The beginning of a text, of so many characters. No character is cut in two. */
export function firstCharacters(text: string, count: number): string {
  return [...text].slice(0, count).join('');
}
