/**
 * A pattern of definitions (a regular expression of JavaScript) as PostgreSQL writes it, or undefined where it says
 * something that PostgreSQL cannot say alike.
 */
export function patternForDatabase(pattern: string): string | undefined {
  const tokens = /\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|[\s\S])|\[\^?|\]|\(\?(?:<?[=!]|:)|[\s\S]/gu;
  let written = '';
  let inClass = false;
  for (const [token] of pattern.matchAll(tokens)) {
    const said: string | undefined = inClass ? insideClass(token) : outsideClass(token);
    if (said === undefined) return undefined;
    written += said;
    if (!inClass && token.startsWith('[')) inClass = true;
    else if (inClass && token === ']') inClass = false;
  }
  return written;
}

const classes: Readonly<Record<string, string>> = { d: '0-9', w: 'A-Za-z0-9_', s: '\\s' };

function insideClass(token: string): string | undefined {
  if (!token.startsWith('\\')) return token === '[' ? '\\[' : token;
  const letter = token[1]!;
  if (letter in classes) return classes[letter];
  return /^[nrtfvxu]$/.test(letter) ? code(token) : /^[A-Za-z0-9]$/.test(letter) ? undefined : token;
}

function outsideClass(token: string): string | undefined {
  if (token === '.') return '[^\\n\\r]';
  if (/^\(\?<?[=!]$/.test(token)) return token;
  if (!token.startsWith('\\')) return token;
  const letter = token[1]!;
  if (letter in classes) return `[${classes[letter]}]`;
  if (letter.toLowerCase() in classes && letter !== 'S') return `[^${classes[letter.toLowerCase()]}]`;
  if (letter === 'S') return '\\S';
  if (letter === 'b') return '\\y';
  if (letter === 'B') return '\\Y';
  return /^[nrtfvxu]$/.test(letter) ? code(token) : /^[A-Za-z0-9]$/.test(letter) ? undefined : token;
}

function code(token: string): string | undefined {
  if (token[1] === 'x' || token[1] === 'u')
    return token.length > 2 ? `\\u${token.slice(2).padStart(4, '0')}` : undefined;
  return token;
}
