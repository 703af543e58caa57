// Rules of ours for oxlint (`jsPlugins` in .oxlintrc.json): a name is a noun or a verb phrase, a comment a statement.
//
// Words that say nothing when they stand alone are listed by their kind in `settings.words` of .oxlintrc.json; one that
// ends in `_` is listed and allowed. `npx tsx scripts/vocabulary.ts locals` counts by the same list.

const FUNCTIONS = 'FunctionDeclaration, FunctionExpression, ArrowFunctionExpression';
const NOUN_CLAUSE = /(?:^|[.!?;]\s)\s*(What|Whoever|Whatever|Whichever|Somebody|Someone|Nobody|Everybody|Anybody)\b/;

/**
 * The words that may not stand alone as a name.
 * @param {Record<string, string> | undefined} words by their kind, separated by spaces
 * @returns {Set<string>} those that do not end in `_`
 */
export function forbiddenWords(words = {}) {
  const listedWords = Object.values(words).flatMap((list) => list.split(' '));
  return new Set(listedWords.filter((word) => word !== '' && !word.endsWith('_')));
}

/**
 * The identifiers that a pattern declares.
 * @param {any} pattern an identifier, or what is destructured, with or without a default
 * @returns {any[]}
 */
function identifiersIn(pattern) {
  switch (pattern?.type) {
    case 'Identifier':
      return [pattern];
    case 'ObjectPattern':
      return pattern.properties.flatMap((property) => identifiersIn(property.value ?? property.argument));
    case 'ArrayPattern':
      return pattern.elements.flatMap(identifiersIn);
    case 'AssignmentPattern':
      return identifiersIn(pattern.left);
    case 'RestElement':
      return identifiersIn(pattern.argument);
    case 'TSParameterProperty':
      return identifiersIn(pattern.parameter);
    default:
      return [];
  }
}

/**
 * The texts of comments in one line each, with the first token of each.
 * @param {readonly any[]} comments
 * @returns {{ node: any, text: string, end: number }[]}
 */
function joinedComments(comments) {
  const entries = [];
  for (const node of comments) {
    const text = node.value.replace(/\s*\n\s*\*?\s*/g, ' ').replace(/^[\s*]+/, '');
    const last = entries.at(-1);
    const isNextLine = node.type === 'Line' && last?.node.type === 'Line' && last.end === node.loc.start.line - 1;
    if (isNextLine) Object.assign(last, { text: `${last.text} ${text}`, end: node.loc.end.line });
    else entries.push({ node, text, end: node.loc.end.line });
  }
  return entries;
}

/**
 * A rule with the words of the settings, but for those of its option `allow`.
 * @param {(context: any, report: (node: any, name: string) => void) => object} visitorOf
 */
function rule(visitorOf) {
  const create = (context) => {
    const words = forbiddenWords(context.settings.words);
    for (const word of context.options[0]?.allow ?? []) words.delete(word);
    const report = (node, name) => {
      if (!words.has(name)) return;
      const message = `\`${name}\` says nothing when it stands alone. Name the value by a noun (\`selectedRows\`), a function by a verb (\`resolveFilter\`).`;
      context.report({ node, message });
    };
    return visitorOf(context, report);
  };
  const allow = { type: 'array', items: { type: 'string' } };
  const schema = [{ type: 'object', properties: { allow }, additionalProperties: false }];
  return { meta: { type: 'suggestion', schema }, create };
}

const rules = {
  /** Variables, parameters, what is destructured, and functions. */
  locals: rule((_context, report) => {
    const reportPattern = (pattern) => {
      for (const identifier of identifiersIn(pattern)) report(identifier, identifier.name);
    };
    return {
      VariableDeclarator: ({ id }) => reportPattern(id),
      CatchClause: ({ param }) => reportPattern(param),
      [FUNCTIONS]: ({ id, params }) => [id, ...params].forEach(reportPattern),
    };
  }),

  /** Properties of types, interfaces and classes; keys of definitions and of HTTP are allowed by the option. */
  properties: rule((_context, report) => ({
    'TSPropertySignature, TSMethodSignature, PropertyDefinition, MethodDefinition': ({ key, computed: isComputed }) => {
      if (!isComputed && key.type === 'Identifier') report(key, key.name);
    },
  })),

  /** The name of the file without its extensions. */
  files: rule(({ filename }, report) => ({
    Program: (node) =>
      report(
        node,
        filename
          .split(/[\\/]/)
          .at(-1)
          .replace(/(\.d|\.test|\.spec)?\.[a-z]+$/, ''),
      ),
  })),

  /** The beginnings of the sentences in a comment; lines of `//` below each other are one. */
  comments: {
    meta: { type: 'suggestion', schema: [] },
    create: (context) => ({
      Program: () => {
        for (const { node, text } of joinedComments(context.sourceCode.getAllComments())) {
          const match = NOUN_CLAUSE.exec(text);
          if (!match) continue;
          const message = `A comment states something, in a sentence; none begins with "${match[1]}".`;
          context.report({ node, message });
        }
      },
    }),
  },
};

export default { meta: { name: 'plain-words' }, rules };
