// npx tsx scripts/files-of.ts PUT|list|publish
//
// Prints the files whose functions a request reaches, in the order in which it reaches them, from its route to its SQL, and
// how many they are. Every name of a value in the code of a reached function, constant or class is followed with the
// compiler; a name alone counts, since a reader looks it up whether or not it is called. `docs/decisions/0015` has the goals.
//
// Left out is what a reader takes by its name (`ignoredPaths`). Types are not followed, and neither is what runs through an
// interface or in a thread.
import { relative } from 'node:path';
import ts from 'typescript';

/** Where each walk starts, what it leaves out besides `ignoredPaths`, and how many files it may have. */
const walks = {
  PUT: { file: 'http/resource-routes', start: 'changeRecord', ignoredPaths: ['exports', 'sql/query-cache'], goal: 15 },
  list: {
    file: 'http/resource-routes',
    start: 'get /:resource',
    ignoredPaths: ['exports', 'sql/query-cache'],
    goal: 15,
  },
  publish: { file: 'modules/routes', start: 'put /modules/:name', ignoredPaths: ['access', 'sql'], goal: 25 },
} as const;

/** Folders and files of the server that explain themselves by their name. */
const ignoredPaths = [
  ...[
    'errors',
    'database',
    'accounts',
    'secrets',
    'security-log',
    'settings',
    'files',
    'jobs',
    'queue',
    'mail',
    'limits',
  ],
  ...['live', 'metrics', 'overload', 'program', 'start-program'],
];

const kind = process.argv[2] as keyof typeof walks;
if (!Object.hasOwn(walks, kind)) {
  console.error(`Usage: npx tsx scripts/files-of.ts ${Object.keys(walks).join('|')}`);
  process.exit(1);
}
const walk = walks[kind];
const folder = 'src/server';
const entry = `${folder}/${walk.file}.ts`;
const { options } = ts.parseJsonConfigFileContent(
  ts.readConfigFile('tsconfig.json', ts.sys.readFile).config,
  ts.sys,
  process.cwd(),
);
const program = ts.createProgram([entry], options);
const checker = program.getTypeChecker();

const paths: string[] = [];
const visited = new Set<ts.Node>();
const queuedNodes: ts.Node[] = [startOf(program.getSourceFile(entry)!)];
while (queuedNodes.length > 0) visit(queuedNodes.shift()!);
console.log(paths.join('\n'));
console.log(`${kind}: ${paths.length} files, the goal is at most ${walk.goal}.`);

/** The function of a name, or the handler of a route such as `get /:resource`. Throws if the file has none. */
function startOf(source: ts.SourceFile): ts.Node {
  const [method, path] = walk.start.split(' ');
  let start: ts.Node | undefined;
  const search = (node: ts.Node): void => {
    if (!path && ts.isFunctionDeclaration(node) && node.name?.text === method) start = node;
    if (path && ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const [address] = node.arguments;
      if (node.expression.name.text === method && address && ts.isStringLiteral(address) && address.text === path)
        start ??= node.arguments.at(-1);
    }
    node.forEachChild(search);
  };
  search(source);
  if (!start) throw new Error(`${entry} has no ${walk.start}.`);
  return start;
}

/** Notes the file of a declaration, and queues the declarations that its code names. */
function visit(node: ts.Node): void {
  if (visited.has(node)) return;
  visited.add(node);
  const path = pathOf(node);
  if (!paths.includes(path)) paths.push(path);
  const follow = (child: ts.Node): void => {
    if (ts.isTypeNode(child)) return;
    if (ts.isIdentifier(child)) queuedNodes.push(...declarationsOf(child));
    child.forEachChild(follow);
  };
  node.forEachChild(follow);
}

/** The functions, constants, classes and methods of the server that a name means and that are not left out. */
function declarationsOf(name: ts.Identifier): ts.Node[] {
  let symbol = ts.isShorthandPropertyAssignment(name.parent)
    ? checker.getShorthandAssignmentValueSymbol(name.parent)
    : checker.getSymbolAtLocation(name);
  if (symbol && symbol.flags & ts.SymbolFlags.Alias) symbol = checker.getAliasedSymbol(symbol);
  return (symbol?.declarations ?? []).filter((declaration) => {
    const isOuter =
      ts.isFunctionDeclaration(declaration) || ts.isMethodDeclaration(declaration) || isConstant(declaration);
    const isFollowed = isOuter || ts.isClassDeclaration(declaration) || ts.isGetAccessor(declaration);
    return isFollowed && !isIgnored(pathOf(declaration));
  });
}

/** Whether a declaration is a variable of a module, not of a function. */
function isConstant(node: ts.Node): boolean {
  return ts.isVariableDeclaration(node) && ts.isSourceFile(node.parent.parent.parent);
}

/** The path of a node's file below the server, without its ending. */
function pathOf(node: ts.Node): string {
  const path = relative(folder, node.getSourceFile().fileName);
  return path.replaceAll('\\', '/').replace(/\.ts$/, '');
}

function isIgnored(path: string): boolean {
  const names = [...ignoredPaths, ...walk.ignoredPaths];
  return path.startsWith('..') || names.some((name) => path === name || path.startsWith(`${name}/`));
}
