import type { ArithmeticExpression, ParsedScript, TestExpression, Word, WordPart } from 'unbash';
import { isPlainArithmetic, isPlainNumber, type Numbers } from './arithmetic.ts';
import { isInertInShell } from './variables.ts';

/** What a word holds besides text. */
export interface WordContent {
  /** Scripts that run when the word is read. */
  readonly scripts: readonly ParsedScript[];
  /** What may run without being seen: half sentences. */
  readonly hazards: readonly string[];
}

interface Found {
  readonly scripts: ParsedScript[];
  readonly hazards: string[];
  readonly numbers: Numbers;
}

/** Collects the substitutions of words, and what in them evaluates text as code. */
export function contentOfWords(words: readonly (Word | undefined)[], numbers: Numbers): WordContent {
  const found: Found = { scripts: [], hazards: [], numbers };
  for (const word of words) if (word !== undefined) lookAtParts(word.parts, found);
  return found;
}

export function contentOfParts(parts: readonly WordPart[] | undefined, numbers: Numbers): WordContent {
  const found: Found = { scripts: [], hazards: [], numbers };
  lookAtParts(parts, found);
  return found;
}

export function contentOfArithmetic(expressions: readonly (ArithmeticExpression | undefined)[], numbers: Numbers): WordContent {
  const found: Found = { scripts: [], hazards: [], numbers };
  for (const expression of expressions) lookAtArithmetic(expression, found);
  return found;
}

export function contentOfTest(expression: TestExpression, numbers: Numbers): WordContent {
  const found: Found = { scripts: [], hazards: [], numbers };
  lookAtTest(expression, found);
  return found;
}

function lookAtParts(parts: readonly WordPart[] | undefined, found: Found): void {
  for (const part of parts ?? []) lookAtPart(part, found);
}

function lookAtPart(part: WordPart, found: Found): void {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return;
    case 'SimpleExpansion':
      return;
    case 'Glob':
    case 'DoubleQuoted':
    case 'LocaleString':
    case 'ExtendedGlob':
    case 'BraceExpansion':
      if (part.type === 'BraceExpansion' && part.parts === undefined && /[$`<>]/.test(part.text))
        found.hazards.push('an expansion in braces');
      if (part.type === 'ExtendedGlob' && part.parts === undefined && /[$`<>]/.test(part.text))
        found.hazards.push('an expansion in a pattern');
      return lookAtParts(part.parts, found);
    case 'CommandExpansion':
    case 'ProcessSubstitution':
      return lookAtScript(part.script, found);
    case 'ArithmeticExpansion':
      return lookAtArithmetic(part.expression, found);
    case 'ParameterExpansion':
      return lookAtParameter(part, found);
    default:
      found.hazards.push('a kind of expansion that is not known');
  }
}

function lookAtScript(script: ParsedScript | undefined, found: Found): void {
  if (script === undefined) found.hazards.push('a substitution that is not understood');
  else found.scripts.push(script);
}

function lookAtParameter(part: Extract<WordPart, { type: 'ParameterExpansion' }>, found: Found): void {
  const { prefix, index, operation, parameter } = part;
  if (prefix === '!') found.hazards.push('${!name} reads a variable named at run time');
  if (index !== undefined) lookAtSubscript(index, found);
  if (/[[\]]/.test(parameter)) found.hazards.push('a subscript that is evaluated as code');
  switch (operation?.type) {
    case undefined:
      return;
    case 'Default':
      if (operation.operator.includes('=') && !isInertInShell(parameter)) found.hazards.push(`\${${parameter}=} sets a variable`);
      return lookAtParts(operation.operand.parts, found);
    case 'Remove':
      return lookAtParts(operation.operand.parts, found);
    case 'Replace':
      lookAtParts(operation.pattern.parts, found);
      return lookAtParts(operation.replacement.parts, found);
    case 'CaseModification':
      return lookAtParts(operation.operand?.parts, found);
    case 'Slice':
      for (const word of [operation.offset, operation.length]) {
        if (word === undefined) continue;
        lookAtParts(word.parts, found);
        if (!isPlainNumber(word.text, found.numbers)) found.hazards.push('an offset that is evaluated as code');
      }
      return;
    default:
      found.hazards.push('an expansion that may evaluate text as code');
  }
}

function lookAtSubscript(index: Word, found: Found): void {
  lookAtParts(index.parts, found);
  if (!['@', '*'].includes(index.text) && !isPlainNumber(index.text, found.numbers)) {
    found.hazards.push('a subscript that is evaluated as code');
  }
}

/** Looks at a subscript of an assignment, as in `a[i]=1`. */
export function contentOfSubscript(index: Word, numbers: Numbers): WordContent {
  const found: Found = { scripts: [], hazards: [], numbers };
  lookAtSubscript(index, found);
  return found;
}

function lookAtArithmetic(expression: ArithmeticExpression | undefined, found: Found): void {
  if (!isPlainArithmetic(expression, found.numbers)) found.hazards.push('arithmetic on what may hold code');
  lookForScripts(expression, found);
}

function lookForScripts(expression: ArithmeticExpression | undefined, found: Found): void {
  switch (expression?.type) {
    case undefined:
      return;
    case 'ArithmeticBinary':
      lookForScripts(expression.left, found);
      return lookForScripts(expression.right, found);
    case 'ArithmeticUnary':
      return lookForScripts(expression.operand, found);
    case 'ArithmeticTernary':
      for (const part of [expression.test, expression.consequent, expression.alternate]) lookForScripts(part, found);
      return;
    case 'ArithmeticGroup':
      return lookForScripts(expression.expression, found);
    case 'ArithmeticWord':
      return lookAtParts(expression.parts, found);
    case 'ArithmeticCommandExpansion':
      return lookAtScript(expression.script, found);
    default:
      found.hazards.push('arithmetic that is not understood');
  }
}

const EVALUATES = new Set(['-eq', '-ne', '-lt', '-le', '-gt', '-ge']);

function lookAtTest(expression: TestExpression, found: Found): void {
  switch (expression.type) {
    case 'TestUnary':
      if (expression.operator === '-v' || expression.operator === '-R')
        found.hazards.push(`[[ ${expression.operator} ]] may evaluate code`);
      return lookAtParts(expression.operand.parts, found);
    case 'TestBinary': {
      const { left, operator, right } = expression;
      if (EVALUATES.has(operator) && ![left, right].every(({ text }) => isPlainNumber(text.replaceAll('"', ''), found.numbers))) {
        found.hazards.push(`[[ ${operator} ]] evaluates text as code`);
      }
      lookAtParts(left.parts, found);
      return lookAtParts(right.parts, found);
    }
    case 'TestLogical':
      for (const operand of expression.operands) lookAtTest(operand, found);
      return;
    case 'TestNot':
      return lookAtTest(expression.operand, found);
    case 'TestGroup':
      return lookAtTest(expression.expression, found);
    default:
      found.hazards.push('a test that is not understood');
  }
}

/** The words of a test that name files. */
export function filesOfTest(expression: TestExpression): readonly Word[] {
  switch (expression.type) {
    case 'TestUnary':
      return /^-[a-hkprsuwxGLNOS]$/.test(expression.operator) ? [expression.operand] : [];
    case 'TestBinary':
      return /^-(?:nt|ot|ef)$/.test(expression.operator) ? [expression.left, expression.right] : [];
    case 'TestLogical':
      return expression.operands.flatMap(filesOfTest);
    case 'TestNot':
      return filesOfTest(expression.operand);
    case 'TestGroup':
      return filesOfTest(expression.expression);
  }
}
