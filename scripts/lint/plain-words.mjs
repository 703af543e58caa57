// Rules of ours for oxlint (`jsPlugins` in .oxlintrc.json): a name is a noun or a verb phrase, a comment a statement.
//
// Words that say nothing when they stand alone are listed by their kind in `settings.words` of .oxlintrc.json; one that
// ends in `_` is listed and allowed. `npx tsx scripts/vocabulary.ts locals` counts by the same list.

const FUNCTIONS = 'FunctionDeclaration, FunctionExpression, ArrowFunctionExpression';
const NOUN_CLAUSE = /^[\s*]*(What|Whoever|Whatever|Somebody|Nobody|Everybody|Anybody)\b/;

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

  /** How a comment begins. */
  comments: {
    meta: { type: 'suggestion', schema: [] },
    create: (context) => ({
      Program: () => {
        let previous;
        for (const comment of context.sourceCode.getAllComments()) {
          const isNextLine =
            previous?.type === 'Line' &&
            comment.type === 'Line' &&
            previous.loc.end.line === comment.loc.start.line - 1;
          previous = comment;
          const match = isNextLine ? null : NOUN_CLAUSE.exec(comment.value);
          if (!match) continue;
          const message = `A comment states something, in a sentence; it does not begin with "${match[1]}".`;
          context.report({ node: comment, message });
        }
      },
    }),
  },
};

export default { meta: { name: 'plain-words' }, rules };
