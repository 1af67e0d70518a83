import { join, relative } from "node:path";
import { runInNewContext } from "node:vm";
import { NodeFlags, SyntaxKind, type Node, type SourceFile } from "typescript/unstable/ast";
import {
  isArrayLiteralExpression,
  isAsExpression,
  isBinaryExpression,
  isIdentifier,
  isNumericLiteral,
  isObjectLiteralExpression,
  isParenthesizedExpression,
  isPrefixUnaryExpression,
  isPropertyAssignment,
  isSatisfiesExpression,
  isVariableStatement,
} from "typescript/unstable/ast/is";
import { API } from "typescript/unstable/sync";

/** A named number of a module: a limit, a time, a size. */
export interface NumericConstant {
  /** Relative to the project. */
  file: string;
  line: number;
  /** `MAX_BYTES`, or `LIMITS.files.free` for a number in an object. */
  name: string;
  /** The number as written. */
  text: string;
  /** The start and the end of `text` in the file, as offsets in UTF-16 units. */
  start: number;
  end: number;
  /** The number; undefined if it depends on another constant. */
  value: number | undefined;
  /** Whether a change by one matters to users. It does not for times. */
  isCount: boolean;
  /** The reason why no user can meet the number, from the comment beside it. */
  unseen: string | undefined;
}

const NAME = /^[A-Z][A-Z\d_]*$/;
const MARK = /\/\/ (?:tuning|internal): (.+)/;
/** Hexadecimal numbers are characters, masks or parts of a format, not limits. */
const HEXADECIMAL = /^0x/i;

/** The constants of the wanted modules of a project, by file and line. */
export function constantsOf(
  project: string,
  isWanted: (file: string) => boolean,
  configs: readonly string[] = ["tsconfig.json"],
): NumericConstant[] {
  const api = new API();
  try {
    const found = new Map<string, NumericConstant[]>();
    for (const config of configs) {
      const path = join(project, config);
      const snapshot = api.updateSnapshot({ openProjects: [path] });
      for (const name of snapshot.getProject(path)?.program.getSourceFileNames() ?? []) {
        const file = relative(project, name);
        if (!isWanted(file) || found.has(file)) continue;
        const source = snapshot.getProject(path)?.program.getSourceFile(name);
        if (source !== undefined) found.set(file, constantsIn(file, source));
      }
    }
    return [...found.keys()].sort().flatMap((file) => found.get(file) ?? []);
  } finally {
    api.close();
  }
}

function constantsIn(file: string, source: SourceFile): NumericConstant[] {
  const { text } = source;
  const found: NumericConstant[] = [];
  const add = (name: string, node: Node, comments: string): void => {
    const start = node.getStart(source);
    const written = text.slice(start, node.end);
    found.push({
      file,
      line: text.slice(0, start).split("\n").length,
      name,
      text: written,
      start,
      end: node.end,
      value: isClosed(node) ? (runInNewContext(written) as number) : undefined,
      isCount: !/_MS\b/.test(name) && !/milliseconds/i.test(comments),
      unseen: MARK.exec(comments)?.[1],
    });
  };
  const visit = (name: string, node: Node, comments: string): void => {
    if (isAsExpression(node) || isSatisfiesExpression(node)) visit(name, node.expression, comments);
    else if (isNumber(node)) add(name, node, comments);
    else if (isArrayLiteralExpression(node))
      for (const [k, element] of node.elements.entries()) visit(`${name}[${k}]`, element, comments);
    else if (isObjectLiteralExpression(node))
      for (const property of node.properties)
        if (isPropertyAssignment(property))
          visit(
            `${name}.${property.name.getText(source)}`,
            property.initializer,
            comments + text.slice(property.pos, property.getStart(source)),
          );
  };
  for (const statement of source.statements) {
    if (!isVariableStatement(statement) || !(statement.declarationList.flags & NodeFlags.Const)) continue;
    const comments = text.slice(statement.pos, statement.getStart(source));
    for (const { name, initializer } of statement.declarationList.declarations)
      if (isIdentifier(name) && NAME.test(name.text) && initializer !== undefined)
        visit(name.text, initializer, comments);
  }
  return found;
}

const ARITHMETIC = new Set<SyntaxKind>([
  SyntaxKind.PlusToken,
  SyntaxKind.MinusToken,
  SyntaxKind.AsteriskToken,
  SyntaxKind.AsteriskAsteriskToken,
  SyntaxKind.SlashToken,
  SyntaxKind.LessThanLessThanToken,
]);

/** Whether an expression is a number, or arithmetic with numbers and other constants. */
function isNumber(node: Node): boolean {
  if (isNumericLiteral(node)) return !HEXADECIMAL.test(node.getText());
  if (isParenthesizedExpression(node)) return isNumber(node.expression);
  if (isPrefixUnaryExpression(node)) return node.operator === SyntaxKind.MinusToken && isNumber(node.operand);
  if (!isBinaryExpression(node) || !ARITHMETIC.has(node.operatorToken.kind)) return false;
  const sides = [node.left, node.right];
  return (
    sides.some(isNumber) &&
    sides.every((side) => isNumber(side) || (isIdentifier(side) && NAME.test(side.text)))
  );
}

/** Whether an expression contains no other constant. */
const isClosed = (node: Node): boolean =>
  isBinaryExpression(node)
    ? isClosed(node.left) && isClosed(node.right)
    : isParenthesizedExpression(node)
      ? isClosed(node.expression)
      : !isIdentifier(node);

/** The replacements for a constant, as they are written into the file. */
export const mutantsOf = ({ text, value, isCount }: NumericConstant): string[] => {
  if (value === undefined)
    return [
      `(${text}) * 2`,
      `Math.floor((${text}) / 2)`,
      ...(isCount ? [`(${text}) + 1`, `(${text}) - 1`] : []),
    ];
  const isWhole = Number.isInteger(value);
  const half = isWhole ? Math.trunc(value / 2) : value / 2;
  const others = new Set([value * 2, half, ...(isCount && isWhole ? [value + 1, value - 1] : [])]);
  others.delete(value);
  return [...others].filter((other) => !Object.is(other, -0)).map(String);
};
