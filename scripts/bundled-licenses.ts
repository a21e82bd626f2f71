import { readdir, readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';

/** The part of a package.json that is used here. */
interface PackageManifest {
  name: string;
  version: string;
  license?: string;
}

/**
 * Returns the license texts of the packages that bundled modules belong to, each package once, sorted by name. Modules
 * outside of `node_modules` are the project's own.
 */
export async function bundledLicenses(moduleIds: readonly string[]): Promise<string> {
  const folders = new Set(moduleIds.flatMap((id) => packageFolder(id) ?? []));
  const texts = await Promise.all([...folders].toSorted().map(licenseOf));
  return texts.join(`\n${'-'.repeat(80)}\n\n`);
}

function packageFolder(moduleId: string): string | undefined {
  const marker = `${sep}node_modules${sep}`;
  const start = moduleId.lastIndexOf(marker);
  if (start === -1) return undefined;
  const [first = '', second = ''] = moduleId.slice(start + marker.length).split(sep);
  return join(moduleId.slice(0, start + marker.length), first.startsWith('@') ? join(first, second) : first);
}

async function licenseOf(folder: string): Promise<string> {
  const manifest: PackageManifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const title = `${manifest.name} ${manifest.version}`;
  const file = (await readdir(folder)).find((name) => /^licen[cs]e/i.test(name));
  if (file !== undefined) return `${title}\n\n${(await readFile(join(folder, file), 'utf8')).trim()}\n`;
  if (manifest.license !== 'MIT')
    throw new Error(`${title} brings no license text; it cannot be bundled without one.`);
  return `${title}\n\n${mitLicense(`the authors of ${manifest.name}`)}`;
}

/** Returns the MIT license, for packages that name it but do not contain its text. */
export function mitLicense(holder: string): string {
  return `MIT License

Copyright (c) ${holder}

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation
the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and
to permit persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of
the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO
THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF
CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS
IN THE SOFTWARE.
`;
}
