export function Routine({ id }: { id: string }) {
  return <h1>Routine {id}</h1>;
}
