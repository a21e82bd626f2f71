/** A quotation is taken for something pasted from this length on, in UTF-16 units. */
const LONG_QUOTATION = 200;

/**
 * The parts of a user's text that stem from elsewhere: code fences, lines behind `>`, and quotations of more than a
 * sentence or two. Each as it stands in the text; without a sign of it, what is pasted cannot be told.
 */
export function pastedParts(text: string): string[] {
  const { pasted, own } = splitLines(text);
  return [
    ...pasted,
    ...own.flatMap((part) => Array.from(part.matchAll(QUOTATION), ([quotation]) => quotation)),
  ];
}

/** A text without lines behind `>` and code fences. */
export function withoutQuotedLines(text: string, mark: string): string {
  return splitLines(text).own.join(`\n${mark}\n`);
}

/** Neither kind of mark is in its quotation: so a text is looked through once, however many marks it has. */
const QUOTATION = new RegExp(
  `“[^“”]{${LONG_QUOTATION},}”|„[^„“”]{${LONG_QUOTATION},}[“”]|"[^"]{${LONG_QUOTATION},}"|«[^«»]{${LONG_QUOTATION},}»`,
  'gu',
);

/** Runs of lines, in turn the user's own and not. */
function splitLines(text: string): { own: string[]; pasted: string[] } {
  const own: string[] = [];
  const pasted: string[] = [];
  let run: string[] = [];
  let isPastedRun = false;
  let fence: string | undefined;
  const end = (): void => {
    if (run.length > 0) (isPastedRun ? pasted : own).push(run.join('\n'));
    run = [];
  };
  for (const line of text.split('\n')) {
    const mark = /^\s{0,3}(`{3,}|~{3,})/u.exec(line)?.[1];
    const isPasted = fence !== undefined || mark !== undefined || /^\s{0,3}>/u.test(line);
    if (isPasted !== isPastedRun) {
      end();
      isPastedRun = isPasted;
    }
    run.push(line);
    if (fence === undefined) fence = mark;
    else if (mark?.startsWith(fence) && line.trim() === mark) fence = undefined;
  }
  end();
  return { own, pasted };
}
