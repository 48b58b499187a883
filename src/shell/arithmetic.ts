import type { ArithmeticExpression } from 'unbash';

/** Names that hold whole numbers wherever a command sets them. */
export type Numbers = ReadonlySet<string>;

/**
 * True where evaluating the expression runs nothing that is not seen: bash evaluates the text of a variable again, and a subscript in it may hold a command.
 * Expansions inside it are looked at elsewhere.
 */
export function isPlainArithmetic(expression: ArithmeticExpression | undefined, numbers: Numbers): boolean {
  if (expression === undefined) return true;
  switch (expression.type) {
    case 'ArithmeticBinary':
      return isPlainArithmetic(expression.left, numbers) && isPlainArithmetic(expression.right, numbers);
    case 'ArithmeticUnary':
      return isPlainArithmetic(expression.operand, numbers);
    case 'ArithmeticTernary':
      return [expression.test, expression.consequent, expression.alternate].every((part) => isPlainArithmetic(part, numbers));
    case 'ArithmeticGroup':
      return isPlainArithmetic(expression.expression, numbers);
    case 'ArithmeticWord':
      return isPlainNumber(expression.value, numbers) || isNumberCommand(expression.value.trim());
    case 'ArithmeticCommandExpansion':
      return isNumberCommand(expression.text);
    default:
      return false;
  }
}

/** A number, or a name that is known to hold one. */
export function isPlainNumber(text: string, numbers: Numbers): boolean {
  const bare = text.trim();
  if (/^[-+]?(?:0[xX][\da-fA-F]+|\d+)$/.test(bare) || /^\$(?:[?#$]|\{#\w+\})$/.test(bare)) return true;
  const name = /^\$?\{?([A-Za-z_]\w*)\}?$/.exec(bare)?.[1];
  return name !== undefined && numbers.has(name);
}

/** Substitutions that print whole numbers and nothing else. */
export function isNumberCommand(text: string): boolean {
  return /^\$\((?:seq(?: \d+)+|date \+%s)\)$/.test(text);
}
