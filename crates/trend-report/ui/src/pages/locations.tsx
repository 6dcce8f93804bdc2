export function Locations({ id }: { id: string }) {
  return <h1>Locations {id}</h1>;
}
