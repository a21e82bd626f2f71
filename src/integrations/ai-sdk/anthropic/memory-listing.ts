/** Texts of files by their paths. Directories exist through their files. */
export type MemoryFiles = ReadonlyMap<string, string>;

interface Item {
  readonly name: string;
  readonly isDirectory: boolean;
  /** Size in UTF-8; of a directory, that of all files below it. */
  sizeBytes: number;
}

/** Returns a listing of a directory, two levels deep, in the format of Anthropic's own tool. */
export function listDirectory(files: MemoryFiles, directory: string): string {
  const lines: string[] = [];
  let totalBytes = 0;
  for (const item of itemsIn(files, directory)) {
    totalBytes += item.sizeBytes;
    if (isHidden(item)) continue;
    lines.push(lineOf(directory, item));
    if (!item.isDirectory) continue;
    const inner = `${directory}/${item.name}`;
    for (const innerItem of itemsIn(files, inner))
      if (!isHidden(innerItem)) lines.push(lineOf(inner, innerItem));
  }
  return [`${formatSize(totalBytes)}\t${directory}`, ...lines].join('\n');
}

/** Returns the direct children of a directory, sorted by name in the order of UTF-16 units. */
function itemsIn(files: MemoryFiles, directory: string): Item[] {
  const items = new Map<string, Item>();
  const encoder = new TextEncoder();
  for (const [path, text] of files) {
    if (!path.startsWith(`${directory}/`)) continue;
    const [name = '', ...rest] = path.slice(directory.length + 1).split('/');
    const isDirectory = rest.length > 0;
    // After an import, a file and a directory can have the same name.
    const key = isDirectory ? `${name}/` : name;
    const item = items.get(key) ?? { name, isDirectory, sizeBytes: 0 };
    item.sizeBytes += encoder.encode(text).length;
    items.set(key, item);
  }
  return [...items.values()].toSorted((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)));
}

function isHidden({ name }: Item): boolean {
  return name.startsWith('.') || name === 'node_modules';
}

function lineOf(directory: string, { name, isDirectory, sizeBytes }: Item): string {
  return `${formatSize(sizeBytes)}\t${directory}/${name}${isDirectory ? '/' : ''}`;
}

function formatSize(sizeBytes: number): string {
  let size = sizeBytes;
  let unit = 0;
  for (; size >= 1024 && unit < 3; unit++) size /= 1024;
  return `${Number.isInteger(size) ? size : size.toFixed(1)}${['B', 'K', 'M', 'G'][unit] ?? ''}`;
}
