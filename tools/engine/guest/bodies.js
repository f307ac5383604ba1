// Bytes and forms on their way from a script to the engine.
import { refuse } from 'k6:core';
import { bufferToLatin1, GoError } from 'k6:shared';

/** Text as it is; bytes as text of one character each, in a list. */
export function bytesText(data) {
  if (typeof data === 'string') return data;
  if (data instanceof ArrayBuffer) return [bufferToLatin1(data)];
  if (data instanceof Uint8Array) {
    return [bufferToLatin1(data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength))];
  }
  throw new GoError(`invalid type ${goType(data)}, expected string, []byte or ArrayBuffer`);
}

/** What k6 calls the type of a value in its messages. */
export function goType(value) {
  if (value === undefined || value === null) return '<nil>';
  if (typeof value === 'number') return Number.isSafeInteger(value) ? 'int64' : 'float64';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'function') return 'func(sobek.FunctionCall) sobek.Value';
  if (value instanceof FileData) return '*http.FileData';
  if (Array.isArray(value)) return '[]interface {}';
  return typeof value === 'string' ? 'string' : 'map[string]interface {}';
}

class FileData {
  constructor(data, filename, type) {
    this.data = data;
    this.filename = filename;
    this.content_type = type;
  }
}

/** `http.file` */
export function newFile(data, filename, type = 'application/octet-stream') {
  if (typeof data !== 'string' && !(data instanceof ArrayBuffer)) {
    throw new GoError(`invalid type ${goType(data)}, expected string or ArrayBuffer`);
  }
  return new FileData(data, String(filename), String(type));
}

/**
 * The fields of a form, each a name and a value: text, or a file.
 * @returns undefined for what is none; the types of values that k6 cannot write, and sends empty
 */
export function formOf(body) {
  if (body instanceof FileData || ArrayBuffer.isView(body)) return undefined;
  const nested = [];
  const text = (value) => {
    if (value === undefined || value === null) return '';
    if (typeof value === 'number') return goNumber(value);
    if (typeof value !== 'object') return String(value);
    if (value instanceof Date) refuse('a Date in a form');
    nested.push(goType(value));
    return '';
  };
  const keys = Object.keys(body);
  const hasFile = keys.some((key) => body[key] instanceof FileData);
  const fields = keys.flatMap((key) => {
    const value = body[key];
    if (value instanceof FileData) {
      const { data, filename, content_type: type } = value;
      const bytes = bytesText(data);
      const binary = typeof bytes !== 'string';
      return [[key, { data: binary ? bytes[0] : bytes, binary, filename, type }]];
    }
    return Array.isArray(value) && !hasFile ? value.map((item) => [key, text(item)]) : [[key, text(value)]];
  });
  return { fields, nested };
}

/** A number as Go's `%v` writes it. */
function goNumber(value) {
  if (Object.is(value, -0)) return '-0';
  if (Number.isSafeInteger(value)) return String(value);
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : value < 0 ? '-Inf' : 'NaN';
  const [digits, exponent] = value.toExponential().split('e');
  const power = Number(exponent);
  if (power >= -4 && power < 6) return String(value);
  return `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}
