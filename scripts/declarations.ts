import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** An exported declaration, without comments; of an overloaded function all of its signatures. */
export interface Declaration {
  readonly text: string;
  /** File that declares it. */
  readonly file: string;
}

/**
 * Returns what a file of type declarations exports, by name, following its re-exports.
 *
 * @param file path of a `.d.ts` file as `tsc` emits it
 */
export async function publicDeclarations(file: string): Promise<Map<string, Declaration>> {
  const found = new Map<string, Declaration>();
  for (const statement of statementsOf(await readFile(file, 'utf8'))) {
    const [, names, from = ''] = /^export (?:type )?\{([^}]*)\} from ['"](.+)['"];$/s.exec(statement) ?? [];
    if (names !== undefined) {
      const others = await publicDeclarations(declarationFile(file, from));
      for (const each of names.split(',').filter((part) => part.trim() !== '')) {
        const [name = '', alias = name] = each
          .trim()
          .replace(/^type\s+/, '')
          .split(/\s+as\s+/);
        const declaration = others.get(name);
        if (!declaration) throw new Error(`${file} exports ${name}, which ${from} does not declare.`);
        found.set(alias, declaration);
      }
      continue;
    }
    const [, name] = DECLARATION.exec(statement) ?? [];
    if (name === undefined) continue;
    const before = found.get(name);
    found.set(name, { file, text: before ? `${before.text}\n${statement}` : statement });
  }
  return found;
}

const DECLARATION =
  /^export (?:declare )?(?:abstract )?(?:function|class|interface|type|const|let|enum|namespace) ([\w$]+)/;

function declarationFile(file: string, from: string): string {
  return join(dirname(file), from.replace(/\.(?:ts|js)$/, '')) + '.d.ts';
}

/** Returns the top-level statements of a file of declarations, without comments and with an indentation of two spaces. */
function statementsOf(source: string): string[] {
  const statements: string[] = [];
  let depth = 0;
  let statement = '';
  for (const [token] of source.matchAll(TOKEN)) {
    if (/^\/[/*]/.test(token)) continue;
    statement += token;
    if ('{(['.includes(token)) depth += 1;
    if ('})]'.includes(token)) depth -= 1;
    if (depth > 0) continue;
    const isBlock = /^\s*(?:export )?(?:declare )?(?:abstract )?(?:interface|class|namespace|enum)\b/.test(
      statement,
    );
    if (token === ';' || (token === '}' && isBlock)) {
      statements.push(tidy(statement));
      statement = '';
    }
  }
  return statements;
}

/** A comment, a text, a bracket or semicolon, or what is between them. */
const TOKEN =
  /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`|[{}()[\];]|[^{}()[\];'"`/]+|\//g;

function tidy(statement: string): string {
  return statement
    .split('\n')
    .map((line) => line.replace(/^(?: {4})+/, (spaces) => ' '.repeat(spaces.length / 2)).trimEnd())
    .filter((line) => line !== '')
    .join('\n')
    .trim();
}
