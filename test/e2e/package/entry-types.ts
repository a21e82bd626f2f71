import { join } from 'node:path';
import {
  isIdentifier,
  isTemplateLiteralTypeSpan,
  isTypeNode,
  isVariableDeclaration,
  type Node,
} from 'typescript/unstable/ast';
import {
  API,
  SymbolFlags,
  TypeFlags,
  type Checker,
  type Symbol as TypeSymbol,
} from 'typescript/unstable/sync';
import type { InstalledProject } from './installed-project.ts';

/** What is wrong with the types of the package, a line each. */
export interface TypeProblems {
  /** Types in public signatures that the compiler takes for `any`. */
  readonly anyTypes: readonly string[];
  /** Types of the package that public signatures name and no entry exports. */
  readonly notExported: readonly string[];
}

/** Has the compiler read all that `entries` promise, as the project sees it. */
export function checkPublicTypes(project: InstalledProject, entries: readonly string[]): TypeProblems {
  const config = join(project.folder, 'tsconfig.json');
  const api = new API({ cwd: project.folder });
  try {
    const snapshot = api.updateSnapshot({ openProjects: [config] });
    const { program, checker } = snapshot.getProject(config) ?? missing(config);
    const exported = entries.flatMap((entry) => {
      const file = join(project.packageFolder, 'dist/types', `${entry}.d.ts`);
      const module = checker.getSymbolAtLocation(program.getSourceFile(file) ?? missing(file));
      return checker.getExportsOfModule(module ?? missing(file));
    });
    return problemsOf(
      checker,
      exported.map((symbol) => resolveAlias(checker, symbol)),
    );
  } finally {
    api.close();
  }
}

/** Follows what is exported to all that it names. */
function problemsOf(checker: Checker, exported: readonly TypeSymbol[]): TypeProblems {
  const anyTypes = new Set<string>();
  const notExported = new Set<string>();
  const seen = new Set(exported.map(({ id }) => id));
  const open = [...exported];
  for (let symbol = open.pop(); symbol; symbol = open.pop()) {
    const nodes = symbol.declarations.flatMap((declaration) => nodesIn(declaration.resolve()));
    for (const type of findAny(checker, nodes)) anyTypes.add(`${type} in ${symbol.name}`);
    for (const named of checker.getSymbolAtLocation(nodes.filter(isIdentifier))) {
      const target = named && resolveAlias(checker, named);
      if (!target || seen.has(target.id) || !isOfPackage(target)) continue;
      seen.add(target.id);
      open.push(target);
      notExported.add(`${target.name}, named by ${symbol.name}`);
    }
  }
  return { anyTypes: [...anyTypes], notExported: [...notExported].toSorted() };
}

function findAny(checker: Checker, nodes: readonly Node[]): string[] {
  // A part of a template literal counts as a type node, and is no type by itself.
  const typeNodes = nodes.filter((node) => isTypeNode(node) && !isTemplateLiteralTypeSpan(node));
  const types = checker.getTypeAtLocation(typeNodes);
  return typeNodes
    .filter((_node, index) => ((types[index]?.flags ?? TypeFlags.Any) & TypeFlags.Any) !== 0)
    .map((node) => node.getText());
}

function resolveAlias(checker: Checker, symbol: TypeSymbol): TypeSymbol {
  return (symbol.flags & SymbolFlags.Alias) === 0 ? symbol : checker.getAliasedSymbol(symbol);
}

/** Whether it is declared in a module of the package, and not within a declaration, as a property is. */
function isOfPackage(symbol: TypeSymbol): boolean {
  return symbol.declarations.some((declaration) => {
    if (!declaration.path.includes('/node_modules/mnemora/dist/types/')) return false;
    const node = declaration.resolve();
    const statement = node && isVariableDeclaration(node) ? node.parent.parent : node;
    return statement !== undefined && statement.parent === statement.getSourceFile();
  });
}

/** The node and all below it. */
function nodesIn(node: Node | undefined): Node[] {
  if (!node) return [];
  const nodes = [node];
  node.forEachChild((child) => {
    nodes.push(...nodesIn(child));
  });
  return nodes;
}

function missing(what: string): never {
  throw new Error(`The compiler did not find ${what}.`);
}
