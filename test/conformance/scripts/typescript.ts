// Types are stripped.
import http, { type Response } from 'k6/http';
import type { Options } from 'k6/options';
import { plus, type Sum } from './lib/sum.ts';

export const options: Options = { iterations: 1 };

enum Colour {
  Red = 1,
  Blue,
}

interface Point {
  readonly x: number;
}

const same = <T>(value: T): T => value;

export default function (): void {
  const point: Point = { x: plus(1, 2 as Sum) };
  const response: Response = http.get(`${__ENV['BASE']}/ok`);
  console.log(same<number>(point.x), Colour.Blue, (response as Response).status);
}
